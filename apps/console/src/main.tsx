import './tokens.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MutationCache, type Query, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isGatewayError } from './api/failures.js';
import { refreshAll } from './api/refresh-list.js';
import { checkSession } from './api/session.js';
import { startLanguage } from './frame/language.js';
import { Toasts } from './parts/toasts.jsx';
import { makeRouter } from './router.jsx';

const MAX_RETRIES = 2;

/** A refusal is an answer: only a failure is tried again. */
const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < MAX_RETRIES && !(isGatewayError(error) && error.status < 500);

const isWithoutSession = (error: unknown): boolean => isGatewayError(error) && error.status === 401;

let isLeaving = false;

/** A session that ended meanwhile, such as by a new password: the person signs in, and comes back. */
function leaveEndedSession(error: unknown, { queryKey: [kind], state }: Query<unknown, unknown>): void {
  // The router itself asks for the first session, and leads away without one.
  const isFirst = kind === 'session' && state.data === undefined;
  if (!isWithoutSession(error) || isFirst || isLeaving) return;
  isLeaving = true;
  const search = { back: router.state.location.href } as never;
  void router.navigate({ to: '/sign-in', search }).finally(() => {
    queries.clear();
    isLeaving = false;
  });
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveEndedSession }),
  defaultOptions: { queries: { retry: shouldRetry, staleTime: 5_000 } },
  mutationCache: new MutationCache({
    // Whatever a change touched: the lists on screen are read again.
    onSuccess: () => refreshAll(queries),
    // A wrong password is refused in the same way, but then the session is there.
    onError: (error) => isWithoutSession(error) && checkSession(queries),
  }),
});

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
