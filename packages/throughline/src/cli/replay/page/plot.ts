/**
 * A plot as SVG that stretches with the page: lines and areas are drawn in a box of 1000 by 100,
 * and all that is read stands beside it as text, so that it stays readable on a phone.
 */
import { amountText } from '../amount-text.ts'
import { type Markup, markup } from './markup.ts'

export interface Curve {
  readonly name: string
  /** Names its colour in the style of the page. */
  readonly kind: string
  /** From left to right, as many as the other curves have. */
  readonly values: readonly number[]
  /** Filled down to this; a line where it is left out. */
  readonly above?: readonly number[]
}

interface Level {
  readonly name: string
  readonly value: number
}

export interface Plot {
  readonly label: string
  readonly curves: readonly Curve[]
  readonly levels?: readonly Level[]
  /** Shares of the width at which something happened. */
  readonly marks?: readonly number[]
  readonly from: string
  readonly to: string
}

const [width, height] = [1_000, 100]

export function drawPlot({ label, curves, levels = [], marks = [], from, to }: Plot): Markup {
  const most = niceAbove(
    Math.max(1, ...levels.map(({ value }) => value), ...curves.map(({ values }) => maxOf(values))),
  )
  const y = (value: number) => round(height - (value / most) * height)
  return markup`<div class="plot">
<div class="scale">${[1, 0.75, 0.5, 0.25, 0].map((share) => markup`<span>${amountText(most * share)}</span>`)}</div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${[0.25, 0.5, 0.75].map((share) => markup`<path class="grid" d="M0 ${height * share}H${width}"/>`)}
${curves.map((curve) => drawCurve(curve, y))}
${levels.map(({ name, value }) => markup`<path class="level" d="M0 ${y(value)}H${width}"><title>${name}: ${amountText(value)}</title></path>`)}
${marks.map((share) => markup`<path class="mark" d="M${round(share * width)} 0V6"/>`)}
</svg>
<div class="ends"><span>${from}</span><span>${to}</span></div>
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
  return (
    [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10]
      .map((step) => step * power)
      .find((step) => step >= value) ?? value
  )
}

function maxOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
