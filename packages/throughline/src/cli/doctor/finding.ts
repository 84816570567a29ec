/** What the doctor has looked at, and what it has found. */
export interface Finding {
  readonly about: string
  /** `note`: nothing is wrong with it. `warning`: it works, and should be otherwise. */
  readonly state: 'sound' | 'note' | 'warning' | 'bad'
  readonly text: string
}

export function sound(about: string, text: string): Finding {
  return { about, state: 'sound', text }
}

export function note(about: string, text: string): Finding {
  return { about, state: 'note', text }
}

export function warning(about: string, text: string): Finding {
  return { about, state: 'warning', text }
}

export function bad(about: string, text: string): Finding {
  return { about, state: 'bad', text }
}
