/**
 * Sessions of the inspector. A one-time link or a key is exchanged for a session in a cookie, which works only for
 * the calls of that page. Links and sessions are in memory, so a restart ends them.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Access, Key } from './access.ts'
import { Refusal } from './problem.ts'

export interface SignIn {
  /** The path of a new link, valid once and for an hour. */
  createPath(): string
  /** Answers the link: a session and the way to the page. */
  answerLink(request: Request): Response
  /** A session for the key of the request, with its tenant and role; throws without a valid key. */
  open(request: Request): Response
  close(request: Request): Response
  /**
   * The key of a session for a call of the page; null without one. Pages of other origins cannot send the header
   * that it needs: a browser asks first, and the answer does not allow it.
   */
  keyOf(request: Request): Key | null
}

export const signInPath = '/sign-in'
/** A page of another origin cannot set it. */
const pageHeader = 'x-throughline-page'

interface Session {
  readonly until: number
  /** The secret of its key; null after a link. */
  readonly secret: string | null
}

export function createSignIn(
  access: Pick<Access, 'findKey' | 'refusedKey' | 'noteUse'>,
  /** Whether only this machine reaches the server; other browsers must use TLS. */
  isLocal: boolean,
  now: () => number = Date.now,
): SignIn {
  const links = new Map<string, number>()
  const sessions = new Map<string, Session>()
  const begin = (secret: string | null) => {
    for (const [hash, { until }] of sessions) if (until <= now()) sessions.delete(hash)
    const token = newToken()
    sessions.set(hashOf(token), { until: now() + sessionMs, secret })
    return cookieOf(token, sessionMs / 1000, isLocal)
  }
  return {
    createPath: () => {
      const token = newToken()
      links.set(hashOf(token), now() + linkMs)
      return `${signInPath}?token=${token}`
    },
    answerLink: (request) => {
      const link = hashOf(new URL(request.url).searchParams.get('token') ?? '')
      const until = links.get(link) ?? 0
      links.delete(link)
      const headers = new Headers({ location: '/' })
      if (until > now()) headers.set('set-cookie', begin(null))
      return new Response(null, { status: 303, headers })
    },
    open: (request) => {
      const { headers } = request
      const [, secret] = /^Bearer +(\S{1,200})$/i.exec(headers.get('authorization') ?? '') ?? []
      if (secret === undefined || !isOfPage(request)) throw new Refusal('KEY_MISSING')
      if (access.findKey(secret) === null) {
        const { key, outcome } = access.refusedKey(secret)
        access.noteUse(key, outcome)
        throw new Refusal('KEY_MISSING')
      }
      return new Response(null, { status: 204, headers: { 'set-cookie': begin(secret) } })
    },
    close: (request) => {
      if (!isOfPage(request)) throw new Refusal('KEY_MISSING')
      sessions.delete(hashOf(tokenIn(request)))
      return new Response(null, {
        status: 204,
        headers: { 'set-cookie': cookieOf('', 0, isLocal) },
      })
    },
    keyOf: (request) => {
      if (!isOfPage(request)) return null
      const hash = hashOf(tokenIn(request))
      const session = sessions.get(hash)
      if (session === undefined || session.until <= now()) return null
      // A key that was revoked since ends its sessions.
      return session.secret === null ? linkKey(hash) : access.findKey(session.secret)
    },
  }
}

function isOfPage({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  return headers.get(pageHeader) === '1' && (site === null || site === 'same-origin')
}

/** The person who started the server may do all that the page offers, but manages no keys with it. */
function linkKey(hash: string): Key {
  return {
    ...{ id: `page-${hash.slice(0, 12)}`, tenant: 'default', name: 'sign-in link', role: 'write' },
    ...{ createdAt: 0, expiresAt: null, revokedAt: null },
  }
}

function tokenIn(request: Request): string {
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  const own = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`)) ?? ''
  return own.slice(cookieName.length + 1)
}

function cookieOf(token: string, seconds: number, isLocal: boolean): string {
  const secure = isLocal ? '' : '; Secure'
  return `${cookieName}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`
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
