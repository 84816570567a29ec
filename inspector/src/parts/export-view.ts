/** Saves what the page shows as one HTML file that needs no server, and runs and loads nothing. */

export function exportView(title: string): void {
  const content = document.querySelector('main')
  if (content === null) return
  const copy = content.cloneNode(true) as HTMLElement
  for (const element of copy.querySelectorAll('button, input, textarea, dialog')) element.remove()
  for (const link of copy.querySelectorAll('a')) link.removeAttribute('href')
  // Rows of a long list are placed by script; in a file they follow each other.
  for (const row of copy.querySelectorAll<HTMLElement>('.rows, .row')) row.removeAttribute('style')
  const saved = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${stylesText().replaceAll('</', '<\\/')}</style></head>
<body class="exported"><p class="export-note">${escaped(`${title} · saved ${saved} UTC from ${location.host}`)}</p>
${copy.outerHTML}</body></html>
`
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/html' }))
  link.download = `${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80) || 'view'}.html`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** As the browser itself writes text in HTML. */
function escaped(text: string): string {
  const element = document.createElement('p')
  element.textContent = text
  return element.innerHTML
}

function stylesText(): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
    .join('\n')
}
