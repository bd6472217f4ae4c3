import { defineConfig } from 'vite';
import { writeDocuments } from './codegen.ts';

const service = process.env.SERVICE_URL ?? 'http://localhost:3000';

export default defineConfig({
  plugins: [{ name: 'typed-documents', buildStart: writeDocuments }],
  // While developing, Vite passes the requests of the page on to the service.
  server: { proxy: { '/graphql': service } },
});
