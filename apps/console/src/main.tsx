import './tokens.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MutationCache, type Query, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setSessionEnded } from './api/ended-session.js';
import { isGatewayError } from './api/failures.js';
import { announceSession, followOtherTabs } from './api/other-tabs.js';
import { refreshAll } from './api/refresh-list.js';
import { type AnySession, checkSession } from './api/session.js';
import { startLanguage } from './frame/language.js';
import { Toasts } from './parts/toasts.jsx';
import { makeRouter } from './router.jsx';

const MAX_RETRIES = 2;

/** A refusal is an answer: only a failure is tried again. */
const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < MAX_RETRIES && !(isGatewayError(error) && error.status < 500);

const isWithoutSession = (error: unknown): boolean => isGatewayError(error) && error.status === 401;

type AnyQuery = Query<unknown, unknown>;

const isOfSession = ({ queryKey: [kind] }: AnyQuery): boolean => kind === 'session';

/** A session that ended meanwhile, such as by a new password: the person signs in, in front of the page. */
function noticeEnd(error: unknown, query: AnyQuery): void {
  // The router itself asks for the first session, and leads away without one.
  const isFirst = isOfSession(query) && query.state.data === undefined;
  if (isWithoutSession(error) && !isFirst) setSessionEnded(true);
}

/** Also when the person signs in again in another tab. */
function noticeSession(session: unknown, query: AnyQuery): void {
  if (!isOfSession(query)) return;
  setSessionEnded(false);
  announceSession(session as AnySession);
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd, onSuccess: noticeSession }),
  defaultOptions: { queries: { retry: shouldRetry, staleTime: 5_000 } },
  mutationCache: new MutationCache({
    // Whatever a change touched: the lists on screen are read again.
    onSuccess: () => refreshAll(queries),
    // A wrong password is refused in the same way, but then the session is there.
    onError: (error) => isWithoutSession(error) && checkSession(queries),
  }),
});

followOtherTabs(queries);

const router = makeRouter(queries);

await startLanguage();
const element = document.getElementById('root');
if (element === null) throw new Error('the page has no element #root');
createRoot(element).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </QueryClientProvider>
      </I18nProvider>
    </CSPProvider>
  </StrictMode>,
);
