/** Whether an import has failed because its package is not there: then we go on without it. */
export function isNotInstalled(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
