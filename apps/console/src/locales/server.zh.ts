import type { ServerWords } from '../api/server-words.js';

/**
 * What the server says to a person, in Chinese. The keys are its own words in English; `{}` stands for what differs, in the
 * order of the English words. A test fails for words that no server says any more.
 */
export const SERVER_WORDS: ServerWords = {
  texts: {
    // Fields of any form.
    'is not a known field': '不是已知字段',
    'is required': '必填',
    'must be a string': '必须是文字',
    'must be a number': '必须是数字',
    'must be a whole number': '必须是整数',
    'must be true or false': '必须是 true 或 false',
    'must be at least {}': '至少为 {}',
    'must be at most {}': '至多为 {}',
    'must be one of {}': '必须是以下之一：{}',
    'must be above zero': '必须大于零',
    'must be above zero; only an adjustment may be negative': '必须大于零；只有调整可以为负数',
    'must not be below zero': '不能小于零',
    'must not be empty': '不能为空',
    'must have at least {} characters': '至少需要 {} 个字符',
    'must have at most {} characters': '最多 {} 个字符',
    'must have at most {} elements': '最多 {} 项',
    'must be one line, without control characters': '必须是一行文字，不能有控制字符',
    'must be an email address': '必须是电子邮件地址',
    'must be a decimal string of USD such as {}, without commas or a currency sign':
      '必须是美元金额，如 {}，不含逗号和货币符号',
    'must be in the future': '必须是将来的时间',
    'must not be in the past': '不能是过去的时间',
    'must not be in the future': '不能是将来的时间',
    'must not be before from': '不能早于开始时间',
    'must be later than from': '必须晚于开始时间',
    'must be an ISO 8601 time such as {}': '必须是 ISO 8601 时间，如 {}',
    'must be an IANA time zone such as {}': '必须是 IANA 时区，如 {}',
    'must be an IP address or a CIDR block': '必须是 IP 地址或 CIDR 网段',
    'must be a model, but is {}': '必须是一个模型，而不是 {}',
    // People and their sessions.
    'The email or the password is wrong.': '邮箱或密码不正确。',
    'Too many attempts. Try again in a minute.': '尝试次数过多，请在一分钟后重试。',
    'Too many attempts. Try again in {} minutes.': '尝试次数过多，请在 {} 分钟后重试。',
    'Too many changes came at once. Wait for a moment.': '一次性更改过多，请稍候再试。',
    'Too many of your requests wait already. Send fewer at once.': '您已有过多请求在等待，请减少同时发送的请求。',
    'must be your current password': '必须是您当前的密码',
    'must be set, because the address has no login yet': '必填，因为该地址还没有登录方式',
    'must be an address without an account': '该地址已有账户，请换一个地址',
    'must not be the address of a member': '该地址已是成员',
    'must be the address of a registered person': '必须是已注册用户的地址',
    'must be for an address that no other person has': '该地址已属于另一位用户',
    'the code was used already, or a later mail replaced it, or your login has changed since':
      '此链接已使用过，或已被之后的邮件取代，或您的登录方式此后已更改',
    'the code has expired': '此链接已过期',
    'the invitation was withdrawn, or a later one replaced it': '此邀请已撤回，或已被之后的邀请取代',
    'must be the whole code of a mail of this kind': '链接不完整，请打开邮件中的完整链接',
    'Log in first: the session token is missing or invalid.': '请先登录：会话不存在或已失效。',
    'Confirm your address first: we have sent you another mail.': '请先确认您的邮箱地址：我们已再次发送邮件。',
    // Organisations.
    'Your role in this organisation is {}. This needs the role {}; an owner can give it to you.':
      '您在该组织中的角色是 {}。此操作需要角色 {}，可由所有者授予。',
    'You are no owner of this organisation any more.': '您已不再是该组织的所有者。',
    'Only an owner removes other members.': '只有所有者可以移除其他成员。',
    'Only an owner gives keys to others or to the organisation.': '只有所有者可以将密钥交给他人或组织。',
    'Only members of the organisation see prompts and answers.': '只有组织成员可以查看提示词和回答。',
    'A person owns at most {} organisations. Delete one first.': '每人最多拥有 {} 个组织，请先删除一个。',
    'The organisation is deleted already.': '该组织已删除。',
    'must be the name of the organisation, {}': '必须是该组织的名称 {}',
    'must be a member of this organisation': '必须是该组织的成员',
    'This account is suspended.': '此账户已停用。',
    'An administrator only reads the account. Nothing can be changed.': '管理员只能查看该账户，不能做任何更改。',
    // Keys and webhooks.
    'The key was revoked at once.': '该密钥已立即吊销。',
    'The key has expired, and its replacement would be expired too. Create a new key.':
      '该密钥已过期，替换后的密钥也会过期。请创建新密钥。',
    'A child key cannot be replaced. Make a new child.': '子密钥不能替换，请创建新的子密钥。',
    'must be new, because another endpoint of this account has it': '此账户已有使用该地址的端点',
    'must be an absolute URL that begins with {}': '必须是以 {} 开头的完整网址',
    'must be an enabled endpoint: enable it first': '该端点已停用，请先启用',
    // What is not there.
    'There is no such {}.': '未找到：{}。它可能已被删除。',
    'There is no such invitation, or it is accepted or revoked.': '没有此邀请，或已被接受或撤回。',
    'There is no receipt for this request id. A request that was refused, or repeated by its idempotency key, costs nothing and has no receipt.':
      '此请求 ID 没有收据。被拒绝的请求，或由幂等键重复的请求，不收费，也没有收据。',
    'Nothing is kept of this request. A key keeps prompts and answers for 24 hours if its owner sets {}.':
      '此请求没有保留任何内容。所有者设置 {} 后，密钥会将提示词和回答保留 24 小时。',
    'The task still runs. Cancel it first, or delete its media when it has ended.':
      '任务仍在运行。请先取消，或在结束后删除其媒体。',
    // How tasks and batches ended.
    'The task was cancelled. Nothing is charged.': '任务已取消，不收费。',
    'The task did not end before its deadline. Nothing is charged.': '任务在期限前没有结束，不收费。',
    'The upstream of the task can no longer be reached. Nothing is charged.': '任务的上游已无法访问，不收费。',
    'The upstream no longer knows the task. Nothing is charged.': '上游已没有此任务的记录，不收费。',
    'The upstream reports that the task succeeded, but returns no video. Nothing is charged.':
      '上游报告任务成功，但没有返回视频，不收费。',
    'The upstream never confirmed the task. Nothing is charged.': '上游一直没有确认此任务，不收费。',
    'The upstream did not accept the task. Nothing is charged.': '上游没有接受此任务，不收费。',
    '{} Its upstream bills such videos, so it is charged.': '{}（上游对此类视频计费，因此收费。）',
    'The worker that submitted the task died.': '提交任务的工作进程已中断。',
    'The upstream responded too late.': '上游响应过晚。',
    'The upstream did not respond in time.': '上游没有及时响应。',
    'The request was cancelled.': '请求已取消。',
    'The cancellation is under way. If the task succeeds first, it is charged.': '正在取消。如果任务先成功，则会收费。',
    'The task was cancelled before it began: nothing is charged.': '任务在开始前已取消，不收费。',
    'The upstream can no longer stop the task: it goes on, and is charged if it succeeds.':
      '上游已无法停止任务：任务继续运行，成功后收费。',
    "The task ended before it could be stopped: its 'cost' is what was charged.": '任务在停止前已结束，按其费用收费。',
    'The input has no lines.': '输入文件没有任何行。',
    'A batch has at most {} lines.': '一个批处理最多 {} 行。',
    'The custom_id of this line is that of line {} too.': '此行的 custom_id 与第 {} 行相同。',
    'The input file was deleted, so no further line could begin.': '输入文件已被删除，其余各行无法开始。',
    'The API key of the batch is no longer valid, so this line did not begin.':
      '该批处理的 API 密钥已失效，此行没有开始。',
    // Money and busy servers.
    'Your balance is too low for this request, which may cost {}: so much must be available. Add credit, or request less output.{}':
      '余额不足：此请求可能花费 {}，须有相应的可用余额。请充值，或减少输出。{}',
    'Your balance is busy, try again shortly.': '余额正忙，请稍后重试。',
    'Rate limit of {} requests per minute reached for this {}.': '已达到每分钟 {} 次请求的限制（{}）。',
    'Incorrect API key provided, or it is no longer valid.': 'API 密钥不正确，或已失效。',
    'Billing is not available, try again shortly.': '计费服务暂不可用，请稍后重试。',
    'Too many event streams are open, try again shortly.': '打开的事件流过多，请稍后重试。',
    'No worker process has a channel of this id.': '没有工作进程拥有此 ID 的通道。',
  },
  codes: {
    invalid_request: '请求无效',
    invalid_api_key: '未通过身份验证',
    insufficient_balance: '余额不足',
    insufficient_quota: '已达到限额',
    permission_denied: '没有权限',
    not_found: '未找到',
    model_not_found: '没有此模型',
    request_too_large: '内容过大',
    storage_limit_exceeded: '存储空间已满',
    rate_limit_exceeded: '请求过于频繁，请稍后重试',
    internal_error: '服务器出错，请重试',
    service_unavailable: '服务暂不可用，请稍后重试',
    upstream_error: '模型供应商出错，请重试',
    upstream_unavailable: '模型暂不可用，请稍后重试',
    upstream_timeout: '模型供应商超时，请重试',
    worker_lost: '处理中断，请重试',
    unknown: '服务器未能正常回答，请稍后重试',
  },
};
