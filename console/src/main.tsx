import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { SessionDocument } from './api/documents.ts';
import { readSessionAgain } from './api/hooks.ts';
import { isTransient, RequestError } from './api/transport.ts';
import './ui/theme.css';

const isEnded = (error: Error) => error instanceof RequestError && error.code === 'UNAUTHENTICATED';

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey: [document] }) => {
      if (isEnded(error) && document !== SessionDocument.toString()) void readSessionAgain(client);
    },
  }),
  mutationCache: new MutationCache({ onError: error => void (isEnded(error) && readSessionAgain(client)) }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => isTransient(error) && count < 2,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Router base="/console">
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
