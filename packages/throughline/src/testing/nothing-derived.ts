/** The state of a conversation of which nothing is derived yet, beside what it is. */
export const nothingDerived = {
  view: null,
  seen: false,
  calibration: null,
  last: null,
  asking: null,
  recorded: 0,
  hindsightDue: null,
  inserts: [],
}
