import { defineConfig } from 'vite';

const service = process.env.SERVICE_URL ?? 'http://localhost:3000';

/** While developing, Vite passes the requests of the page on to the service. */
export default defineConfig({ server: { proxy: { '/graphql': service } } });
