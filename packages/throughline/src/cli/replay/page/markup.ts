/**
 * HTML that cannot be forged: every value that is put into a piece of it is text, and escaped,
 * unless it is a piece itself. So no word of a transcript ever becomes an element.
 */
import { safeText } from '../../screen/safe-text.ts'

export class Markup {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

type Value = string | number | Markup | readonly Markup[]

/** A template: `<p title="${title}">${text}</p>`, whatever the title and the text are. */
export function markup(pieces: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    pieces
      .map((piece, index) => piece + (index < values.length ? htmlOf(values[index] ?? '') : ''))
      .join(''),
  )
}

function htmlOf(value: Value): string {
  if (value instanceof Markup) return value.html
  if (typeof value === 'object') return value.map(({ html }) => html).join('')
  return escaped(String(value))
}

function escaped(text: string): string {
  return safeText(text).replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
