/** The URL of a file that the build wrote beside a module. In a test the module is in src, and not compiled. */
export const toBuiltUrl = (path: string, moduleUrl: string): URL =>
  new URL(path, moduleUrl.endsWith('.ts') ? moduleUrl.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : moduleUrl);
