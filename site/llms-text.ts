/** llms.txt, a list of all pages for language models, and llms-full.txt, the pages themselves. */
import { decisionsFolder, notSearched } from './navigation-data.ts'
import { markdownFile } from './page-frame.ts'
import { plainText } from './slugs.ts'
import type { Source } from './sources.ts'

export function llmsText(sources: readonly Source[]): string {
  const groups = Map.groupBy(
    sources.filter(({ group }) => group !== null),
    ({ group }) => group,
  )
  const sections = [...groups].map(([title, pages]) => {
    const lines = pages.map(
      (page) => `- [${page.name}](${markdownFile(page)}): ${firstSentence(page)}`,
    )
    return `## ${title}\n\n${lines.join('\n')}`
  })
  const [start] = sources
  return `# Throughline\n\n> ${start === undefined ? '' : firstSentence(start)}\n\nAll pages in one file: [llms-full.txt](llms-full.txt)\n\n${sections.join('\n\n')}\n`
}

/** Without lists of names and the history of the project. */
export function llmsFullText(sources: readonly Source[]): string {
  return sources
    .filter(({ path }) => !notSearched.includes(path) && !path.startsWith(decisionsFolder))
    .map(({ file, markdown }) => `<!-- ${file} -->\n\n${markdown.trim()}\n`)
    .join('\n')
}

function firstSentence({ title, markdown }: Source): string {
  const [, paragraph = title] =
    /^# .+\n+(?:<!--[\s\S]*?-->\n+)?((?:[^\n#|`<-].*\n)+)/.exec(markdown) ?? []
  const text = plainText(paragraph).replace(/\s+/g, ' ').trim()
  return /^.*?[.:](?= [A-Z]|$)/.exec(text)?.[0] ?? text
}
