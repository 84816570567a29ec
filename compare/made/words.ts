/** Word lists of the made conversations. */
export const folders = [
  'billing',
  'search',
  'import',
  'mail',
  'calendar',
  'report',
  'access',
  'photo',
] as const
export const nouns = [
  ...['ledger', 'harbor', 'lantern', 'meadow', 'anchor', 'basket', 'copper', 'feather', 'granite'],
  ...['kettle', 'marble', 'needle', 'orchard', 'pebble', 'quarry', 'ribbon', 'saddle', 'timber'],
  ...['velvet', 'walnut', 'barrel', 'candle', 'dragon', 'ember', 'falcon', 'garden', 'hammer'],
] as const
export const verbs = [
  'load',
  'parse',
  'merge',
  'split',
  'check',
  'trim',
  'sort',
  'count',
  'store',
  'send',
] as const
export const things = [
  ...['retry delay', 'page size', 'upload limit', 'session length', 'batch size', 'report hour'],
  ...[
    'backup folder',
    'staging host',
    'review channel',
    'release branch',
    'price column',
    'mail sender',
  ],
  ...['cache folder', 'log level', 'archive bucket', 'import queue', 'error budget', 'photo width'],
  ...[
    'search index',
    'calendar feed',
    'access token name',
    'metrics port',
    'invoice prefix',
    'test tenant',
  ],
] as const
export const reasons = [
  'the old value broke the nightly run',
  'two customers asked for it',
  'the auditors want it that way',
  'the other team depends on it',
  'the phone app expects it',
  'we measured it last week',
] as const
