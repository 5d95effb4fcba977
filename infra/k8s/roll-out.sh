#!/bin/sh
# Rolls an overlay out in the order that mixed releases need: what nothing depends on, the migrations, billing and the
# workers (who must read what new edges send), the edges. Stops at the first step that fails; may be run again.
#   infra/k8s/roll-out.sh infra/k8s/overlays/small
set -eu
overlay=${1:?an overlay, such as infra/k8s/overlays/small}
manifests=$(mktemp)
trap 'rm -f "$manifests"' EXIT
kubectl kustomize "$overlay" > "$manifests"
namespace=gateway
# Longer than a pod may drain (690 s) for each of a few surges.
patience=60m

echo "1 of 4: namespace, settings, policies, services"
kubectl apply --filename "$manifests" --selector '!gateway/roll-out'

echo "2 of 4: migrations"
kubectl delete job migrations --namespace "$namespace" --ignore-not-found
kubectl apply --filename "$manifests" --selector gateway/roll-out=1-migrations
kubectl wait job/migrations --namespace "$namespace" --for=condition=complete --timeout=30m

for step in 2-behind 3-edge; do
  echo "$step"
  kubectl apply --filename "$manifests" --selector "gateway/roll-out=$step"
  for deployment in $(kubectl get deployment --namespace "$namespace" --selector "gateway/roll-out=$step" --output name); do
    kubectl rollout status "$deployment" --namespace "$namespace" --timeout="$patience"
  done
done
