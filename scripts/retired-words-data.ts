/** Words to avoid in names, comments, documents, screens and errors, with replacements. */
export interface RetiredWord {
  /** Matches lower-case words; names are split at capitals, hyphens and underscores. */
  readonly pattern: string
  readonly instead: string
}

export const retiredWords: readonly RetiredWord[] = [
  {
    pattern: 'told|tells?|telling|untold|teller',
    instead: 'summarize, describe, render, say, report',
  },
  { pattern: 'behind', instead: 'after' },
  { pattern: 'stands?|stood|standing', instead: 'is, are, was; represents; persistent' },
  { pattern: 'hindsight', instead: 'follow-up' },
  { pattern: 'deeds?', instead: 'action' },
  { pattern: '(?:go|goes|going|went|gone) on', instead: 'continue' },
  { pattern: 'anew', instead: 'again' },
  { pattern: 'mend(?:s|ed|ing)?', instead: 'repair' },
  { pattern: 'sayings?', instead: 'statement' },
  {
    pattern: 'handed|hands? (?:in|over)|handing|(?:be|is|are|was|were) hand',
    instead: 'pass, given',
  },
  { pattern: 'said', instead: 'user text, stated, reported' },
  { pattern: 'begun', instead: 'started' },
  { pattern: 'barren', instead: 'empty' },
  { pattern: 'borne', instead: 'proven, supported' },
  { pattern: 'stretch(?:es)?', instead: 'anchor range, run of messages' },
  { pattern: 'flights?', instead: 'lock' },
  { pattern: 'squeez(?:e|es|ed|ing)', instead: 'shortened, reduced' },
  { pattern: '(?:look|looks|looked|looking) again', instead: 'check again' },
  { pattern: 'nobody', instead: 'name the subject: no caller, no user, unknown' },
  { pattern: 'overtak(?:e|es|en|ing)|overtook', instead: 'superseded' },
  { pattern: 'sound(?:ness)?', instead: 'valid, healthy, intact' },
  {
    pattern: '(?:makes?|made|making|comes?|came|be|become|becomes) of',
    instead: 'say what happens',
  },
  { pattern: 'by itself|by themselves', instead: 'automatically, alone' },
  { pattern: 'liv(?:es?|ed) through', instead: 'simulate' },
  { pattern: 'noted|noting', instead: 'extracted, recorded' },
  {
    pattern: 'meant model|set off|coming message|other budget|rests on|once paid|asked so far',
    instead: 'see the glossary',
  },
  { pattern: 'hearsay|heed(?:s|ed)?', instead: 'follow' },
]
