/** See `browser/build.ts`. */
declare module 'virtual:graphiql' {
  export const js: string;
  export const css: string;
  export const editorWorkerService: string;
  export const jsonWorker: string;
  export const graphqlWorker: string;
}
