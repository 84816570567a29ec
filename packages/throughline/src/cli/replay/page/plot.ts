/**
 * Draws a plot as SVG in a box of 1000 by 100 that scales with the page. The labels are HTML, so that
 * they stay readable on a phone.
 */
import { amountText } from '../../screen/numbers.ts'
import { safeText } from '../../screen/safe-text.ts'

export interface Curve {
  readonly name: string
  /** Its colour in the style of the page. */
  readonly kind: string
  /** From left to right, as many as the other curves have. */
  readonly values: readonly number[]
  /** The lower edge of an area; a line without it. */
  readonly above?: readonly number[]
}

interface Plot {
  readonly label: string
  readonly curves: readonly Curve[]
  readonly levels?: readonly { readonly name: string; readonly value: number }[]
  /** Shares of the width. */
  readonly marks?: readonly number[]
  readonly count: number
}

const [width, height] = [1_000, 100]

export function drawPlot({ label, curves, levels = [], marks = [], count }: Plot): Markup {
  const drawn = [...levels.map(({ value }) => value), ...curves.flatMap(({ values }) => values)]
  const most = niceAbove(Math.max(1, ...drawn))
  const y = (value: number) => round(height - (value / most) * height)
  return markup`<div class="plot">
<div class="scale">${[1, 0.75, 0.5, 0.25, 0].map((share) => markup`<span>${amountText(most * share)}</span>`)}</div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${[0.25, 0.5, 0.75].map((share) => markup`<path class="grid" d="M0 ${height * share}H${width}"/>`)}
${curves.map((curve) => drawCurve(curve, y))}
${levels.map(({ name, value }) => markup`<path class="level" d="M0 ${y(value)}H${width}"><title>${name}: ${amountText(value)}</title></path>`)}
${marks.map((share) => markup`<path class="mark" d="M${round(share * width)} 0V6"/>`)}
</svg>
<div class="ends"><span>request 1</span><span>request ${count}</span></div>
</div>`
}

export function legend(entries: readonly Pick<Curve, 'name' | 'kind'>[]): Markup {
  return markup`<p class="legend">${entries.map(({ name, kind }) => markup`<span><i class="swatch ${kind}"></i>${name}</span> `)}</p>`
}

function drawCurve({ name, kind, values, above }: Curve, y: (value: number) => number): Markup {
  const x = (index: number) => round(values.length < 2 ? 0 : (index / (values.length - 1)) * width)
  const top = values.map((value, index) => `${x(index)} ${y(value)}`)
  const title = markup`<title>${name}</title>`
  if (above === undefined)
    return markup`<path class="line ${kind}" d="M${top.join('L')}">${title}</path>`
  const bottom = above.map((value, index) => `${x(index)} ${y(value)}`).toReversed()
  return markup`<path class="area ${kind}" d="M${[...top, ...bottom].join('L')}Z">${title}</path>`
}

/** A round number whose quarters are round too. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].map((step) => step * power)
  return steps.find((step) => step >= value) ?? value
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** More than the usual page is wide in pixels. */
const finest = 600

/** Ranges of indexes `[from, to)`, one for each point. */
export function bucketsOf(count: number): readonly (readonly [from: number, to: number])[] {
  const buckets = Math.min(count, finest)
  return Array.from({ length: buckets }, (_, bucket) => [
    Math.floor((bucket * count) / buckets),
    Math.floor(((bucket + 1) * count) / buckets),
  ])
}

/** HTML whose values are escaped unless they are Markup: a transcript's text never becomes an element. */
export class Markup {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

type Value = string | number | Markup | readonly Markup[]

export function markup(pieces: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(String.raw({ raw: pieces }, ...values.map(htmlOf)))
}

function htmlOf(value: Value): string {
  if (value instanceof Markup) return value.html
  if (typeof value === 'object') return value.map(({ html }) => html).join('')
  return safeText(String(value)).replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
