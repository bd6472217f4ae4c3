/** What load balancers and monitors ask for at intervals. */
export const healthPaths = ['/healthz', '/healthz/pages', '/readyz', '/metrics'];
