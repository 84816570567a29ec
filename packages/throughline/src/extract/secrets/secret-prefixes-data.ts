/**
 * Rules for secrets with a prefix of their issuer, and the characters that may follow it. Where an
 * issuer changed the length over time, `least` is the shortest that was ever issued.
 */
export interface PrefixRule {
  readonly kind: string
  readonly starts: readonly string[]
  /** The characters after the prefix. */
  readonly body: AlphabetName
  readonly least: number
  /** Set only where the prefix is short enough to occur by chance. */
  readonly most?: number
  /** The prefix is also a word, so the body has to look random. */
  readonly doubtful?: true
  /** The shape of the body, where that distinguishes it from other text. */
  readonly shape?: RegExp
  /** The body ends with a checksum, which proves the secret whatever the body looks like. */
  readonly checksum?: true
}

export type AlphabetName =
  | 'lowerHex'
  | 'hex'
  | 'capitals'
  | 'letters'
  | 'words'
  | 'names'
  | 'dotted'
  | 'base64'
  | 'credentials'

export const prefixRules: readonly PrefixRule[] = [
  // Models.
  { kind: 'Anthropic key', starts: ['sk-ant-'], body: 'names', least: 24 },
  {
    kind: 'OpenAI key',
    starts: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    body: 'names',
    least: 20,
  },
  { kind: 'OpenRouter key', starts: ['sk-or-v1-', 'sk-or-'], body: 'lowerHex', least: 32 },
  { kind: 'Langfuse key', starts: ['sk-lf-'], body: 'names', least: 32 },
  { kind: 'OpenAI key', starts: ['sk-'], body: 'letters', least: 20, doubtful: true },
  { kind: 'Google API key', starts: ['AIza'], body: 'names', least: 35, most: 36 },
  { kind: 'Groq key', starts: ['gsk_'], body: 'letters', least: 40 },
  { kind: 'Hugging Face token', starts: ['hf_', 'api_org_'], body: 'letters', least: 30 },
  { kind: 'xAI key', starts: ['xai-'], body: 'letters', least: 60 },
  { kind: 'Perplexity key', starts: ['pplx-'], body: 'letters', least: 40 },
  { kind: 'Replicate token', starts: ['r8_'], body: 'letters', least: 36 },
  { kind: 'Fireworks key', starts: ['fw_'], body: 'letters', least: 20, doubtful: true },
  { kind: 'Cerebras key', starts: ['csk-'], body: 'letters', least: 40 },
  { kind: 'Together key', starts: ['tgp_v1_'], body: 'names', least: 40 },
  { kind: 'NVIDIA key', starts: ['nvapi-'], body: 'names', least: 60 },
  { kind: 'Tavily key', starts: ['tvly-'], body: 'names', least: 30 },
  { kind: 'LangSmith key', starts: ['lsv2_pt_', 'lsv2_sk_'], body: 'words', least: 32 },
  { kind: 'Pinecone key', starts: ['pcsk_'], body: 'words', least: 50 },
  { kind: 'Jina key', starts: ['jina_'], body: 'names', least: 50 },
  // Code and packages.
  {
    kind: 'GitHub token',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    body: 'letters',
    least: 36,
    checksum: true,
  },
  { kind: 'GitHub token', starts: ['github_pat_'], body: 'words', least: 50 },
  {
    kind: 'GitLab token',
    starts: [
      ...['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glagent-', 'glsoat-', 'glft-'],
      ...['glimt-', 'glffct-', 'gloas-', 'GR1348941'],
    ],
    body: 'dotted',
    least: 20,
  },
  { kind: 'npm token', starts: ['npm_'], body: 'letters', least: 36, checksum: true },
  { kind: 'PyPI token', starts: ['pypi-AgE'], body: 'names', least: 50 },
  { kind: 'RubyGems key', starts: ['rubygems_'], body: 'lowerHex', least: 48 },
  {
    kind: 'crates.io token',
    starts: ['cio'],
    body: 'letters',
    least: 32,
    most: 32,
    doubtful: true,
  },
  { kind: 'Clojars token', starts: ['CLOJARS_'], body: 'letters', least: 60 },
  { kind: 'Docker token', starts: ['dckr_pat_', 'dckr_oat_'], body: 'names', least: 27 },
  {
    kind: 'Bitbucket token',
    starts: ['ATBB', 'ATCTT3xFfG'],
    body: 'names',
    least: 28,
    doubtful: true,
  },
  { kind: 'Atlassian token', starts: ['ATATT3'], body: 'credentials', least: 100 },
  { kind: 'SonarQube token', starts: ['sqp_', 'squ_', 'sqa_'], body: 'lowerHex', least: 40 },
  { kind: 'Sentry token', starts: ['sntrys_', 'sntryu_'], body: 'credentials', least: 60 },
  { kind: 'Postman key', starts: ['PMAK-'], body: 'names', least: 59 },
  { kind: 'Linear key', starts: ['lin_api_', 'lin_oauth_'], body: 'letters', least: 40 },
  { kind: 'Figma token', starts: ['figd_', 'figu_'], body: 'names', least: 38 },
  { kind: 'CircleCI token', starts: ['CCIPAT_'], body: 'words', least: 40 },
  { kind: 'Buildkite token', starts: ['bkua_'], body: 'lowerHex', least: 40 },
  // Clouds.
  {
    kind: 'AWS access key',
    starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    body: 'capitals',
    least: 16,
    most: 16,
  },
  { kind: 'AWS Bedrock key', starts: ['ABSK'], body: 'base64', least: 100 },
  { kind: 'Google OAuth secret', starts: ['GOCSPX-'], body: 'names', least: 28 },
  { kind: 'Google OAuth token', starts: ['ya29.'], body: 'dotted', least: 20 },
  { kind: 'Google OAuth token', starts: ['1//0'], body: 'names', least: 40 },
  {
    kind: 'DigitalOcean token',
    starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    body: 'lowerHex',
    least: 64,
  },
  { kind: 'Databricks token', starts: ['dapi'], body: 'names', least: 32, doubtful: true },
  { kind: 'Vault token', starts: ['hvs.', 'hvb.', 'hvr.'], body: 'names', least: 24 },
  {
    kind: 'Doppler token',
    starts: ['dp.pt.', 'dp.st.', 'dp.sa.', 'dp.ct.'],
    body: 'dotted',
    least: 40,
  },
  { kind: 'Pulumi token', starts: ['pul-'], body: 'lowerHex', least: 40, most: 40 },
  {
    kind: 'PlanetScale token',
    starts: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    body: 'dotted',
    least: 32,
  },
  { kind: 'Supabase key', starts: ['sbp_', 'sb_secret_'], body: 'names', least: 30 },
  { kind: 'Netlify token', starts: ['nfp_'], body: 'letters', least: 36 },
  { kind: 'Fly token', starts: ['fo1_', 'fm2_'], body: 'credentials', least: 40 },
  {
    kind: 'Grafana token',
    starts: ['glsa_', 'glc_'],
    body: 'credentials',
    least: 32,
    doubtful: true,
  },
  { kind: 'New Relic key', starts: ['NRAK-'], body: 'letters', least: 27 },
  { kind: 'Alibaba key', starts: ['LTAI'], body: 'letters', least: 16, most: 24, doubtful: true },
  { kind: 'Tencent key', starts: ['AKID'], body: 'letters', least: 32, most: 32 },
  { kind: 'Tailscale key', starts: ['tskey-'], body: 'names', least: 24 },
  { kind: '1Password token', starts: ['ops_eyJ'], body: 'base64', least: 60 },
  { kind: 'age key', starts: ['AGE-SECRET-KEY-1'], body: 'capitals', least: 58 },
  // Services.
  {
    kind: 'Slack token',
    starts: [
      'xoxa-',
      'xoxb-',
      'xoxe-',
      'xoxe.xoxp-',
      'xoxe.xoxb-',
      'xoxo-',
      'xoxp-',
      'xoxr-',
      'xoxs-',
    ],
    body: 'names',
    least: 20,
  },
  { kind: 'Slack token', starts: ['xoxc-', 'xoxd-', 'xapp-1-'], body: 'names', least: 20 },
  {
    kind: 'Stripe key',
    starts: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'sk_org_'],
    body: 'letters',
    least: 16,
  },
  { kind: 'Stripe webhook secret', starts: ['whsec_'], body: 'base64', least: 24 },
  { kind: 'ElevenLabs key', starts: ['sk_'], body: 'lowerHex', least: 48, most: 48 },
  { kind: 'Twilio key', starts: ['SK', 'AC'], body: 'lowerHex', least: 32, most: 32 },
  {
    kind: 'SendGrid key',
    starts: ['SG.'],
    body: 'dotted',
    least: 60,
    shape: /^[\w-]{16,32}\.[\w-]{32,64}$/,
  },
  { kind: 'Mailgun key', starts: ['key-'], body: 'lowerHex', least: 32, most: 32 },
  { kind: 'Brevo key', starts: ['xkeysib-', 'xsmtpsib-'], body: 'names', least: 64 },
  { kind: 'Resend key', starts: ['re_'], body: 'words', least: 24, doubtful: true },
  {
    kind: 'Shopify token',
    starts: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'],
    body: 'hex',
    least: 32,
  },
  { kind: 'Square token', starts: ['sq0csp-', 'sq0atp-', 'sq0idp-'], body: 'names', least: 22 },
  { kind: 'Square token', starts: ['EAAA'], body: 'names', least: 60, most: 60 },
  { kind: 'Razorpay key', starts: ['rzp_live_', 'rzp_test_'], body: 'letters', least: 14 },
  { kind: 'Shippo token', starts: ['shippo_live_', 'shippo_test_'], body: 'lowerHex', least: 40 },
  { kind: 'EasyPost key', starts: ['EZAK', 'EZTK'], body: 'letters', least: 54, most: 54 },
  {
    kind: 'Facebook token',
    starts: ['EAACEdEose0cBA', 'EAAG', 'EAAB'],
    body: 'letters',
    least: 80,
  },
  { kind: 'Notion token', starts: ['ntn_'], body: 'letters', least: 40 },
  { kind: 'Notion token', starts: ['secret_'], body: 'letters', least: 43, most: 43 },
  {
    kind: 'Airtable token',
    starts: ['pat'],
    body: 'dotted',
    least: 79,
    most: 79,
    shape: /^\w{14}\.[0-9a-f]{64}$/,
  },
  { kind: 'Contentful token', starts: ['CFPAT-'], body: 'names', least: 43 },
  { kind: 'Dropbox token', starts: ['sl.u.', 'sl.B'], body: 'names', least: 60 },
  { kind: 'Typeform token', starts: ['tfp_'], body: 'dotted', least: 40 },
  { kind: 'Adafruit key', starts: ['aio_'], body: 'letters', least: 28, most: 28 },
]
