/** The fragments of headings, as GitHub makes them, so that a link works there and on the site. */

/** Returns the fragment of the next heading of one page. */
export function slugger(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const slug = plainText(heading)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

/** The headings of a Markdown text, without those in code blocks. */
export function headingsOf(markdown: string): readonly string[] {
  const text = markdown.replace(/^(`{3,}).*\n[\s\S]*?^\1/gm, '')
  return [...text.matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) => heading)
}

/** Without the marks of code, emphasis and links. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
}
