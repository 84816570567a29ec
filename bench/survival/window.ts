/**
 * Finds the window with the largest answer that is not larger than requested. Answers grow with the
 * window, but in steps, and sometimes a larger window shows slightly less: so it bisects, and then also
 * tries some larger windows.
 */
export interface WindowSearch<Answer> {
  readonly most: number
  /** Null if there is no answer for such a window. */
  readonly ask: (windowTokens: number) => Promise<Answer | null>
  readonly sizeOf: (answer: Answer) => number
}

const leastWindow = 512
const windowsPerSize = 16
/** A closer result is not worth another request. */
const nearEnough = 0.985
const closeWindows = 0.004
const largerWindows = [1.004, 1.01, 1.02, 1.04, 1.08]

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
  // Everything fits.
  if (await fits(high)) return best
  while (!isNear() && high - low > low * closeWindows) {
    const middle = Math.floor((low + high) / 2)
    if (await fits(middle)) low = middle
    else high = middle
  }
  for (const times of largerWindows) if (!isNear()) await fits(Math.ceil(high * times))
  return best
}
