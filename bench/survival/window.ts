/**
 * The window whose answer is as large as possible, and not larger than asked for. Answers
 * grow with the window, but in steps, and now and then a larger window shows a little less:
 * so the border is found by halving, and some windows behind it are looked at too.
 */
export interface WindowSearch<Answer> {
  readonly most: number
  /** Null where nothing can be had in such a window. */
  readonly ask: (windowTokens: number) => Promise<Answer | null>
  readonly sizeOf: (answer: Answer) => number
}

const leastWindow = 512
const windowsPerSize = 16
/** Nearer than this, nobody gains by looking on. */
const nearEnough = 0.985
const closeWindows = 0.004
const windowsBehind = [1.004, 1.01, 1.02, 1.04, 1.08]

export async function largestBelow<Answer>(search: WindowSearch<Answer>): Promise<Answer | null> {
  const { most, ask, sizeOf } = search
  let best: Answer | null = null
  const fits = async (windowTokens: number): Promise<boolean> => {
    const answer = await ask(windowTokens)
    if (answer !== null && sizeOf(answer) > most) return false
    if (answer !== null && (best === null || sizeOf(answer) > sizeOf(best))) best = answer
    return true
  }
  const isNear = () => best !== null && sizeOf(best) >= most * nearEnough
  let low = leastWindow
  let high = leastWindow + most * windowsPerSize
  // All that there is has room.
  if (await fits(high)) return best
  while (!isNear() && high - low > low * closeWindows) {
    const middle = Math.floor((low + high) / 2)
    if (await fits(middle)) low = middle
    else high = middle
  }
  for (const times of windowsBehind) if (!isNear()) await fits(Math.ceil(high * times))
  return best
}
