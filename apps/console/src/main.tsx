import './tokens.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isApiError } from './api/api-error.js';
import { startLanguage } from './frame/language.js';
import { Toasts } from './parts/toasts.jsx';
import { makeRouter } from './router.jsx';

const MAX_RETRIES = 2;

/** A refusal is an answer: only a failure is tried again. */
const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < MAX_RETRIES && !(isApiError(error) && error.status < 500);

const queries = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, staleTime: 5_000 } },
  // Whatever a change touched: the lists on screen are read again.
  mutationCache: new MutationCache({ onSuccess: () => void queries.invalidateQueries() }),
});

await startLanguage();
const element = document.getElementById('root');
if (element === null) throw new Error('the page has no element #root');
createRoot(element).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <Toasts>
            <RouterProvider router={makeRouter(queries)} />
          </Toasts>
        </QueryClientProvider>
      </I18nProvider>
    </CSPProvider>
  </StrictMode>,
);
