import { execFileSync } from 'node:child_process';
import { defineConfig } from 'vite';

const service = process.env.SERVICE_URL ?? 'http://localhost:3000';
const writeDocuments = () => execFileSync(process.execPath, ['codegen.ts'], { cwd: import.meta.dirname });

export default defineConfig({
  plugins: [{ name: 'typed-documents', buildStart: () => void writeDocuments() }],
  // While developing, Vite passes the requests of the page on to the service.
  server: { proxy: { '/graphql': service } },
});
