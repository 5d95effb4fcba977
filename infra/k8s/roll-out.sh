#!/bin/sh
# Rolls out an overlay in the order that mixed releases need: shared objects, migrations, billing, workers, edges.
# Billing must read what others write, and workers what edges send. `back` reverses the order and skips the migrations.
# The script stops at the first failed step and prints its logs. It may be run again.
#   infra/k8s/roll-out.sh infra/k8s/overlays/production
#   infra/k8s/roll-out.sh infra/k8s/overlays/production back
set -eu
overlay=${1:?an overlay, such as infra/k8s/overlays/small}
direction=${2:-forth}
case $direction in
  forth) deployments='2-billing 3-workers 4-edge' ;;
  back) deployments='4-edge 3-workers 2-billing' ;;
  *) echo "the direction must be back or empty, not $direction" >&2; exit 2 ;;
esac
manifests=$(mktemp)
trap 'rm -f "$manifests"' EXIT
kubectl kustomize "$overlay" > "$manifests"
namespace=gateway
# A release that does not become ready fails earlier, by progressDeadlineSeconds.
rollout_timeout=60m

stop() {
  echo "stopped at $1: later steps are unchanged" >&2
  exit 1
}

# The Job completes or fails by itself (backoffLimit, activeDeadlineSeconds), so poll for both.
migrate() {
  kubectl delete job migrations --namespace "$namespace" --ignore-not-found
  kubectl apply --filename "$manifests" --selector gateway/roll-out=1-migrations
  while :; do
    ended=$(kubectl get job migrations --namespace "$namespace" \
      --output 'jsonpath={.status.conditions[?(@.status=="True")].type}')
    case $ended in
      *Failed*)
        kubectl logs job/migrations --namespace "$namespace" --tail=40 >&2 || true
        stop 1-migrations ;;
      *Complete*) return ;;
    esac
    sleep "${POLL_SECONDS:-2}"
  done
}

roll_out() {
  kubectl apply --filename "$manifests" --selector "gateway/roll-out=$1"
  names=$(kubectl get deployment --namespace "$namespace" --selector "gateway/roll-out=$1" --output name)
  for deployment in $names; do
    kubectl rollout status "$deployment" --namespace "$namespace" --timeout="$rollout_timeout" && continue
    kubectl describe "$deployment" --namespace "$namespace" >&2 || true
    kubectl logs "$deployment" --namespace "$namespace" --tail=40 >&2 || true
    stop "$1, $deployment"
  done
}

echo "settings, policies, services"
kubectl apply --filename "$manifests" --selector '!gateway/roll-out'
if [ "$direction" = forth ]; then
  echo 1-migrations
  migrate
fi
for step in $deployments; do
  echo "$step"
  roll_out "$step"
done
