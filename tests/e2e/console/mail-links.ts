import { eventually, type TestStack } from '@gateway/testing';

interface LoggedMail {
  readonly kind?: string;
  readonly recipient?: string;
  readonly link?: string;
}

const parsed = (line: string): LoggedMail => {
  try {
    return JSON.parse(line) as LoggedMail;
  } catch {
    return {};
  }
};

const linksIn = (log: string, kind: string, recipient: string): readonly string[] =>
  log
    .split('\n')
    .filter((line) => line.includes('"link"'))
    .map(parsed)
    .filter((mail) => mail.kind === kind && mail.recipient === recipient)
    .map(({ link = '' }) => link);

/** The path below `/console` of the mail with this number (from 1). Without SMTP, the service logs links for its operator. */
export async function mailLink(stack: TestStack, kind: string, recipient: string, number = 1): Promise<string> {
  const accounts = stack.system.instance('accounts');
  const link = await eventually(
    async () =>
      linksIn(accounts.log(), kind, recipient)[number - 1] ?? Promise.reject(new Error(`no ${kind} mail yet`)),
  );
  const { pathname, search } = new URL(link);
  return `${pathname.replace('/console', '')}${search}`;
}
