/**
 * One-time links to the start page. A link is exchanged for a session in a cookie, which opens only that page:
 * the API needs a key. Links and sessions are in memory, so a restart ends them.
 */
import { createHash, randomBytes } from 'node:crypto'

export interface SignIn {
  /** The path of a new link, valid once and for an hour. */
  createPath(): string
  /** Answers the link: a session and the way to the start page, or the page for visitors. */
  answer(request: Request): Response
  isSignedIn(request: Request): boolean
}

export const signInPath = '/sign-in'

export function createSignIn(now: () => number = Date.now): SignIn {
  const links = new Map<string, number>()
  const sessions = new Map<string, number>()
  const isValid = (until: number | undefined) => until !== undefined && until > now()
  return {
    createPath: () => {
      const token = newToken()
      links.set(hashOf(token), now() + linkMs)
      return `${signInPath}?token=${token}`
    },
    answer: (request) => {
      const link = hashOf(new URL(request.url).searchParams.get('token') ?? '')
      const until = links.get(link)
      links.delete(link)
      const headers = new Headers({ location: '/' })
      if (isValid(until)) {
        const session = newToken()
        sessions.set(hashOf(session), now() + sessionMs)
        // Lax, so that a link in a web terminal works; the cookie changes nothing.
        const cookie = `${cookieName}=${session}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${sessionMs / 1000}`
        headers.set('set-cookie', cookie)
      }
      return new Response(null, { status: 303, headers })
    },
    isSignedIn: (request) => {
      const cookies = (request.headers.get('cookie') ?? '').split(/; */)
      const own = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`)) ?? ''
      return isValid(sessions.get(hashOf(own.slice(cookieName.length + 1))))
    },
  }
}

const cookieName = 'throughline_session'
const linkMs = 3_600_000
const sessionMs = 12 * 3_600_000

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
