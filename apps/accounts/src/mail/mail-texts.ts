import type { MailKind } from '@gateway/postgres';

/** What a mail says. `{name}` is a detail of the mail. */
export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The words of the link; absent: the mail has none. */
  readonly action?: string;
  readonly closing: string;
}

const IGNORE_EN = 'If you did not ask for this, ignore this mail: nothing changes.';
const IGNORE_ZH = '如果这不是您本人的操作，请忽略此邮件，不会有任何更改。';

/** What the code is for: programs and pages of others take it instead of the link. */
export const CODE_WORDS = { en: 'Or enter this code', zh: '或输入此验证码' } as const;

/** Every mail in each language. The compiler demands all of them. */
export const MAIL_TEXTS: Readonly<Record<'en' | 'zh', Readonly<Record<MailKind, MailText>>>> = {
  en: {
    confirm: {
      subject: 'Confirm your address',
      paragraphs: [
        'Welcome to the Unified Model Gateway.',
        'Confirm that this address is yours. The link lasts three days.',
      ],
      action: 'Confirm address',
      closing: IGNORE_EN,
    },
    confirm_email: {
      subject: 'Confirm your new address',
      paragraphs: [
        'You want to log in with this address from now on.',
        'Confirm that it is yours. The link lasts one day.',
      ],
      action: 'Confirm new address',
      closing: IGNORE_EN,
    },
    email_changed: {
      subject: 'Your address was changed',
      paragraphs: ['Your login now uses the address {email}.'],
      closing: 'If it was not you, write to the operator of this gateway at once.',
    },
    registered: {
      subject: 'You are registered already',
      paragraphs: [
        'Someone registered with this address, which has a login already. Nothing was changed.',
        'If you forgot your password, ask for a new one on the login page.',
      ],
      closing: IGNORE_EN,
    },
    reset: {
      subject: 'Choose a new password',
      paragraphs: ['Choose a new password. It ends all your sessions. The link lasts one hour.'],
      action: 'Choose password',
      closing: IGNORE_EN,
    },
    invitation: {
      subject: '{inviter} invites you to {organisation}',
      paragraphs: ['{inviter} invites you to join {organisation} as {role}. The link lasts seven days.'],
      action: 'Join {organisation}',
      closing: 'If you do not know the sender, ignore this mail.',
    },
    organisation_deleted: {
      subject: '{organisation} was deleted',
      paragraphs: [
        '{person} has deleted the organisation {organisation}, of which you were an owner.',
        'Its keys have ended, what was running is cancelled, and what it kept is removed. Its books stay.',
      ],
      closing: 'If this was a mistake, write to the operator of this gateway: the rest of the balance is paid back.',
    },
  },
  zh: {
    confirm: {
      subject: '请确认您的邮箱地址',
      paragraphs: ['欢迎使用 Unified Model Gateway。', '请确认此邮箱地址属于您。链接三天内有效。'],
      action: '确认地址',
      closing: IGNORE_ZH,
    },
    confirm_email: {
      subject: '请确认您的新邮箱地址',
      paragraphs: ['您希望今后使用此地址登录。', '请确认此地址属于您。链接一天内有效。'],
      action: '确认新地址',
      closing: IGNORE_ZH,
    },
    email_changed: {
      subject: '您的邮箱地址已更改',
      paragraphs: ['您现在使用地址 {email} 登录。'],
      closing: '如果这不是您本人的操作，请立即联系此网关的运营者。',
    },
    registered: {
      subject: '您已经注册过',
      paragraphs: [
        '有人使用此地址注册，但该地址已有登录账号。没有任何更改。',
        '如果您忘记了密码，请在登录页面申请新密码。',
      ],
      closing: IGNORE_ZH,
    },
    reset: {
      subject: '设置新密码',
      paragraphs: ['请设置新密码。这将结束您的所有会话。链接一小时内有效。'],
      action: '设置密码',
      closing: IGNORE_ZH,
    },
    invitation: {
      subject: '{inviter} 邀请您加入 {organisation}',
      paragraphs: ['{inviter} 邀请您以 {role} 身份加入 {organisation}。链接七天内有效。'],
      action: '加入 {organisation}',
      closing: '如果您不认识发件人，请忽略此邮件。',
    },
    organisation_deleted: {
      subject: '{organisation} 已被删除',
      paragraphs: [
        '{person} 删除了您担任所有者的组织 {organisation}。',
        '它的密钥已失效，正在运行的任务已取消，保存的内容已删除。账目保留。',
      ],
      closing: '如果这是误操作，请联系此网关的运营者：余额将予以退还。',
    },
  },
};
