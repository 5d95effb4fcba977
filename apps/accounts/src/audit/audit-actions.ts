/**
 * The routes that may change something, with their actions in the audit log, and reads that people must be able to
 * prove. Null: the route changes nothing.
 * The service does not start with a route that is missing here.
 */
export const AUDIT_ACTIONS: Readonly<Record<string, string | null>> = {
  'POST /account/register': 'account.register',
  'POST /account/login': 'account.login',
  'POST /account/logout': 'account.logout',
  'PATCH /account/person': 'person.change',
  'POST /account/person/confirmation': 'person.send_confirmation',
  'POST /account/person/email': 'person.change_email',
  'POST /account/confirmations': 'person.confirm',
  'POST /account/password-resets': 'password_reset.request',
  'POST /account/password-resets/complete': 'password_reset.complete',
  'POST /account/invitations': 'invitation.create',
  'POST /account/invitations/:id/resend': 'invitation.resend',
  'DELETE /account/invitations/:id': 'invitation.revoke',
  'POST /account/invitations/find': null,
  'POST /account/invitations/accept': 'invitation.accept',
  'PATCH /account/members/:id': 'member.change',
  'DELETE /account/members/:id': 'member.remove',
  'DELETE /account/sessions': 'session.end_others',
  'DELETE /account/sessions/:id': 'session.end',
  'POST /account/organisations': 'organisation.create',
  'POST /account/organisations/:id/choose': 'organisation.choose',
  'DELETE /account/organisations/:id': 'organisation.delete',
  'PATCH /account/settings': 'account.settings',
  'DELETE /account/tasks/:id/media': 'task.delete_media',
  'PATCH /account/storage': 'account.retention',
  'POST /account/password': 'account.password',
  'POST /account/keys': 'key.create',
  'PATCH /account/keys/:id': 'key.change',
  'DELETE /account/keys/:id': 'key.delete',
  'POST /account/keys/:id/children': 'key.create_child',
  'DELETE /account/keys/:id/children/:childId': 'key.delete_child',
  'POST /account/keys/:id/rotate': 'key.rotate',
  'GET /account/requests/:requestId/contents': 'contents.read',
  'POST /account/webhook-endpoints': 'webhook_endpoint.create',
  'PATCH /account/webhook-endpoints/:id': 'webhook_endpoint.change',
  'DELETE /account/webhook-endpoints/:id': 'webhook_endpoint.delete',
  'POST /account/webhook-endpoints/:id/test': 'webhook_endpoint.test',
  'POST /account/webhook-deliveries/:id/replay': 'webhook_delivery.replay',
  'POST /account/webhook-deliveries/replay': 'webhook_delivery.replay_many',
  'POST /account/webhook-secret/rotate': 'webhook_secret.rotate',
  'POST /account/quote': null,
  'POST /account/tasks/:id/cancel': 'task.cancel',
  'DELETE /account/files/:id': 'file.delete',
  'POST /account/batches/:id/cancel': 'batch.cancel',
  'POST /account/kept-requests/:id/cancel': 'kept_request.cancel',
  'POST /admin/administrators': 'administrator.create',
  'DELETE /admin/administrators/:id': 'administrator.revoke',
  'POST /admin/accounts/:id/views': 'account.view',
  'DELETE /admin/account-views/current': 'account.end_view',
  'POST /admin/vendor-bills': 'vendor_bill.create',
  'PATCH /admin/channels/:id': 'channel.change',
  'PATCH /admin/accounts/:id': 'account.change',
  'POST /admin/accounts/:id/credits': 'account.credit',
  'POST /admin/accounts/:id/reversals': 'account.reversal',
  'POST /admin/accounts/:id/prices': 'account.price',
  'POST /admin/accounts/:id/webhook-deliveries/replay': 'webhook_delivery.replay_many',
};

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Throws for a route that may change something and has no action. */
export function requireAuditAction(method: string, path: string): void {
  if (SAFE_METHODS.includes(method) || `${method} ${path}` in AUDIT_ACTIONS) return;
  throw new Error(`${method} ${path} must have an action in audit/audit-actions.ts, or the audit log would miss it`);
}
