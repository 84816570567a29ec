/**
 * The inspector, at `/`: static files that are the same for everyone, and the session of its reader. What is stored
 * comes only from the API.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { clientLines, curlLines } from './call-lines.ts'
import { Refusal } from './problem.ts'
import { type SignIn, signInPath } from './sign-in.ts'

/** Answers by path, beside the API. */
export type Pages = Readonly<Record<string, (request: Request) => Response | Promise<Response>>>

export interface InspectorOptions {
  readonly signIn: SignIn
  /** Whether sign-in links work: only on the machine of the server. */
  readonly hasLinks: boolean
  /** Where the databases are; shown only to a signed-in reader on the same machine. */
  readonly folder: string
  /** The model that answers in the chat; null without one. */
  readonly chatModel: string | null
}

export async function inspectorPages(options: InspectorOptions): Promise<Pages> {
  const { signIn, hasLinks } = options
  return {
    ...(await staticPages(await inspectorFolder())),
    '/session': (request) => answerSession(request, options),
    ...(hasLinks && { [signInPath]: signIn.answerLink }),
  }
}

function answerSession(
  request: Request,
  { signIn, hasLinks, folder, chatModel }: InspectorOptions,
): Response {
  if (request.method === 'POST') return signIn.open(request)
  if (request.method === 'DELETE') return signIn.close(request)
  if (request.method !== 'GET')
    throw new Refusal('METHOD_REFUSED', undefined, { allow: 'GET, POST, DELETE' })
  const { origin } = new URL(request.url)
  const key = signIn.keyOf(request)
  return Response.json({
    role: key?.role ?? null,
    tenant: key?.tenant ?? null,
    folder: key !== null && hasLinks ? folder : null,
    chatModel: key === null ? null : chatModel,
    hasLinks,
    curl: curlLines(origin),
    client: clientLines(origin),
  })
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types 'none'",
].join('; ')

/** Read once: they do not change while the server runs. */
async function staticPages(folder: string): Promise<Pages> {
  const pages: Record<string, () => Response> = {}
  for (const name of await readdir(folder, { recursive: true })) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const bytes = await readFile(join(folder, name))
    const isEntry = name === 'index.html'
    // The names of all other files contain a hash of their content.
    const caching = isEntry ? 'no-cache' : 'private, max-age=31536000, immutable'
    const headers = {
      'content-type': type,
      'cache-control': caching,
      'content-security-policy': policy,
    }
    pages[isEntry ? '/' : `/${name.replaceAll('\\', '/')}`] = () => new Response(bytes, { headers })
  }
  return pages
}

/** Beside the packed server; in a checkout, built when a source has changed. */
async function inspectorFolder(): Promise<string> {
  const here = dirname(fileURLToPath(import.meta.url))
  const packed = [join(here, 'inspector'), join(here, '..', 'inspector')]
  const found = packed.find((folder) => existsSync(join(folder, 'index.html')))
  if (found !== undefined) return found
  const builder = pathToFileURL(join(here, '..', '..', '..', 'inspector', 'build.ts')).href
  const { buildInspector } = (await import(builder)) as {
    readonly buildInspector: () => Promise<string>
  }
  return buildInspector()
}
