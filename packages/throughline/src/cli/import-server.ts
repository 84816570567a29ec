/** Loads the server, which is a package of its own: most users of the command line do not need it. */
import { isNotInstalled, ThroughlineError } from '../errors.ts'

export async function importServer(command: string) {
  try {
    return await import('@throughline/server')
  } catch (cause) {
    if (!isNotInstalled(cause)) throw cause
    const message = `throughline ${command} needs the package @throughline/server: npm install @throughline/server (in a clone: npm run -s throughline -- ${command})`
    throw new ThroughlineError('PACKAGE_MISSING', message, { cause })
  }
}
