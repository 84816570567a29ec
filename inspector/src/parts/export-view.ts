/** Saves what the page shows as one HTML file that needs no server, and runs and loads nothing. */

export function exportView(title: string): void {
  const content = document.querySelector('main')
  if (content === null) return
  const copy = content.cloneNode(true) as HTMLElement
  for (const element of copy.querySelectorAll('button, input, textarea, dialog, [data-live]'))
    element.remove()
  for (const link of copy.querySelectorAll('a')) link.removeAttribute('href')
  // Rows of a long list are placed by script; in a file they follow each other.
  for (const row of copy.querySelectorAll<HTMLElement>('.rows, .row')) row.removeAttribute('style')
  const page = document.implementation.createHTMLDocument(title)
  const policy = page.createElement('meta')
  policy.httpEquiv = 'content-security-policy'
  policy.content = "default-src 'none'; style-src 'unsafe-inline'"
  const charset = page.createElement('meta')
  charset.setAttribute('charset', 'utf-8')
  const style = page.createElement('style')
  style.textContent = stylesText()
  page.head.prepend(charset, policy)
  page.head.append(style)
  const note = page.createElement('p')
  note.className = 'export-note'
  note.textContent = `${title} · saved ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC from ${location.host}`
  page.body.className = 'exported'
  page.body.append(note, page.importNode(copy, true))
  const text = `<!doctype html>\n${page.documentElement.outerHTML}\n`
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/html' }))
  link.download = `${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80) || 'view'}.html`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

function stylesText(): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
    .join('\n')
}
