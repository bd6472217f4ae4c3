/** A v1 route: method, path and the GraphQL operation that it runs. `:name` in the path fills the variable `$name`. */
export type Route = readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, operation: string];
