/** The URL of a file that the build wrote beside this one. In a test this one is in src. */
export const builtUrl = (path: string): URL =>
  new URL(path, import.meta.url.replace(/\/src\/(db\/embedded\/)/, '/dist/$1'));
