/** Renders the public API as a page: what each export is for, with an example or a link to one. */
import { isValue } from './api-reports.ts'
import type { JsDoc } from './js-doc.ts'
import type { ApiExport, EntryPoint } from './public-api.ts'

export function apiPage(api: readonly EntryPoint[]): string {
  return `# API

Everything that can be imported, by entry point; examples compile. Generated from the comments in \`packages/throughline/src\`
by \`npm run docs\`.

| from | values | types | what it is |
|---|--:|--:|---|
${api.map(entryRow).join('\n')}

${api.map(entrySection).join('\n')}`
}

function entryRow({ name, purpose, exports }: EntryPoint): string {
  const values = exports.filter(isValue).length
  const link = `[\`${name}\`](#${headingId(name)})`
  return `| ${link} | ${values} | ${exports.length - values} | ${cell(purpose)} |`
}

function entrySection({ name, exports }: EntryPoint): string {
  const values = exports.filter(isValue)
  const types = exports.filter((each) => !isValue(each))
  const examples = values.filter(({ example }) => example !== '')
  return [
    `## ${name}\n`,
    table(['name', 'kind', 'what it is for', 'example'], values.map(valueRow)),
    ...examples.map(exampleBlock),
    ...types.filter(({ methods }) => methods.length > 0).map(methodsSection),
    ...(types.length === 0 ? [] : [typesSection(name, types)]),
  ].join('\n')
}

function methodsSection({ name, methods }: ApiExport): string {
  const rows = methods.map((method) => [`\`${method.name}\``, method.sentence, whereOf(method)])
  const examples = methods.filter(({ example }) => example !== '').map(exampleBlock)
  const methodTable = table(['method', 'what it is for', 'example'], rows)
  return [`### Methods of ${name}\n`, methodTable, ...examples].join('\n')
}

function typesSection(name: string, types: readonly ApiExport[]): string {
  const rows = types.map((type) => [`\`${type.name}\``, type.sentence])
  return [`### Types of ${name}\n`, table(['name', 'what it is'], rows)].join('\n')
}

function valueRow(each: ApiExport): readonly string[] {
  return [`\`${each.name}\``, each.kind, each.sentence, whereOf(each)]
}

function whereOf({ example, see }: JsDoc): string {
  return example === '' ? see.map((other) => `see \`${other}\``).join(', ') : 'below'
}

// Not `ts`: these examples are compiled next to their code, with names that a program has.
function exampleBlock({ name, example }: JsDoc & { readonly name: string }): string {
  return `\`${name}\`:\n\n\`\`\`typescript\n${example}\n\`\`\`\n`
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function headingId(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9 -]/g, '')
}
