/**
 * Builds the documentation as a web site.
 *
 *   npm run site               builds site/dist, which needs no server: open site/dist/index.html
 *   npm run site -- --serve    also serves it, at http://127.0.0.1:4173
 */

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite } from './build-site.ts'

const folder = join(import.meta.dirname, 'dist')
const { values } = parseArgs({ options: { serve: { type: 'boolean' }, port: { type: 'string' } } })
const pages = await buildSite(folder)
console.log(`${pages.length} pages in ${join(folder, 'index.html')}`)
if (values.serve === true) serve(Number(values.port ?? 4173))

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.md': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

function serve(port: number): void {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const path = normalize(decodeURIComponent(pathname)).replace(/\/$/, '/index.html')
    try {
      const content = await readFile(join(folder, path))
      response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream')
      response.end(content)
    } catch {
      response.writeHead(404).end('not found')
    }
  })
  server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`))
}
