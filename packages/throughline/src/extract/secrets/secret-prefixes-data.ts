import type { AlphabetName } from './secret-text.ts'

/**
 * Rules for secrets with a prefix of their issuer, and the characters that may follow it. Where an
 * issuer changed the length over time, `min` is the shortest that was ever issued.
 */
export interface PrefixRule {
  readonly kind: string
  /** Separated by spaces. */
  readonly prefixes: string
  /** The characters after the prefix. */
  readonly body: AlphabetName
  /** The length of the body. `max` is set only where the prefix may occur by chance. */
  readonly min: number
  readonly max?: number
  /** The prefix is also a word, so the body has to look random. */
  readonly doubtful?: true
  /** The shape of the body, where that distinguishes it from other text. */
  readonly shape?: RegExp
  /** The body ends with a checksum, which proves the secret whatever the body looks like. */
  readonly checksum?: true
}

export const prefixRules: readonly PrefixRule[] = [
  // Models.
  { kind: 'Anthropic key', prefixes: 'sk-ant-', body: 'names', min: 24 },
  {
    kind: 'OpenAI key',
    prefixes: 'sk-proj- sk-svcacct- sk-admin- sk-None-',
    body: 'names',
    min: 20,
  },
  { kind: 'OpenRouter key', prefixes: 'sk-or-v1- sk-or-', body: 'lowerHex', min: 32 },
  { kind: 'Langfuse key', prefixes: 'sk-lf-', body: 'names', min: 32 },
  { kind: 'OpenAI key', prefixes: 'sk-', body: 'letters', min: 20, doubtful: true },
  { kind: 'Google API key', prefixes: 'AIza', body: 'names', min: 35, max: 36 },
  { kind: 'Groq key', prefixes: 'gsk_', body: 'letters', min: 40 },
  { kind: 'Hugging Face token', prefixes: 'hf_ api_org_', body: 'letters', min: 30 },
  { kind: 'xAI key', prefixes: 'xai-', body: 'letters', min: 60 },
  { kind: 'Perplexity key', prefixes: 'pplx-', body: 'letters', min: 40 },
  { kind: 'Replicate token', prefixes: 'r8_', body: 'letters', min: 36 },
  { kind: 'Fireworks key', prefixes: 'fw_', body: 'letters', min: 20, doubtful: true },
  { kind: 'Cerebras key', prefixes: 'csk-', body: 'letters', min: 40 },
  { kind: 'Together key', prefixes: 'tgp_v1_', body: 'names', min: 40 },
  { kind: 'NVIDIA key', prefixes: 'nvapi-', body: 'names', min: 60 },
  { kind: 'Tavily key', prefixes: 'tvly-', body: 'names', min: 30 },
  { kind: 'LangSmith key', prefixes: 'lsv2_pt_ lsv2_sk_', body: 'words', min: 32 },
  { kind: 'Pinecone key', prefixes: 'pcsk_', body: 'words', min: 50 },
  { kind: 'Jina key', prefixes: 'jina_', body: 'names', min: 50 },
  // Code and packages.
  {
    kind: 'GitHub token',
    prefixes: 'ghp_ gho_ ghu_ ghs_ ghr_',
    body: 'letters',
    min: 36,
    checksum: true,
  },
  { kind: 'GitHub token', prefixes: 'github_pat_', body: 'words', min: 50 },
  {
    kind: 'GitLab token',
    prefixes:
      'glpat- gldt- glrt- glptt- glcbt- glagent- glsoat- glft- glimt- glffct- gloas- GR1348941',
    body: 'dotted',
    min: 20,
  },
  { kind: 'npm token', prefixes: 'npm_', body: 'letters', min: 36, checksum: true },
  { kind: 'PyPI token', prefixes: 'pypi-AgE', body: 'names', min: 50 },
  { kind: 'RubyGems key', prefixes: 'rubygems_', body: 'lowerHex', min: 48 },
  { kind: 'crates.io token', prefixes: 'cio', body: 'letters', min: 32, max: 32, doubtful: true },
  { kind: 'Clojars token', prefixes: 'CLOJARS_', body: 'letters', min: 60 },
  { kind: 'Docker token', prefixes: 'dckr_pat_ dckr_oat_', body: 'names', min: 27 },
  { kind: 'Bitbucket token', prefixes: 'ATBB ATCTT3xFfG', body: 'names', min: 28, doubtful: true },
  { kind: 'Atlassian token', prefixes: 'ATATT3', body: 'credentials', min: 100 },
  { kind: 'SonarQube token', prefixes: 'sqp_ squ_ sqa_', body: 'lowerHex', min: 40 },
  { kind: 'Sentry token', prefixes: 'sntrys_ sntryu_', body: 'credentials', min: 60 },
  { kind: 'Postman key', prefixes: 'PMAK-', body: 'names', min: 59 },
  { kind: 'Linear key', prefixes: 'lin_api_ lin_oauth_', body: 'letters', min: 40 },
  { kind: 'Figma token', prefixes: 'figd_ figu_', body: 'names', min: 38 },
  { kind: 'CircleCI token', prefixes: 'CCIPAT_', body: 'words', min: 40 },
  { kind: 'Buildkite token', prefixes: 'bkua_', body: 'lowerHex', min: 40 },
  // Clouds.
  { kind: 'AWS access key', prefixes: 'AKIA ASIA ABIA ACCA', body: 'capitals', min: 16, max: 16 },
  { kind: 'AWS Bedrock key', prefixes: 'ABSK', body: 'base64', min: 100 },
  { kind: 'Google OAuth secret', prefixes: 'GOCSPX-', body: 'names', min: 28 },
  { kind: 'Google OAuth token', prefixes: 'ya29.', body: 'dotted', min: 20 },
  { kind: 'Google OAuth token', prefixes: '1//0', body: 'names', min: 40 },
  { kind: 'DigitalOcean token', prefixes: 'dop_v1_ doo_v1_ dor_v1_', body: 'lowerHex', min: 64 },
  { kind: 'Databricks token', prefixes: 'dapi', body: 'names', min: 32, doubtful: true },
  { kind: 'Vault token', prefixes: 'hvs. hvb. hvr.', body: 'names', min: 24 },
  { kind: 'Doppler token', prefixes: 'dp.pt. dp.st. dp.sa. dp.ct.', body: 'dotted', min: 40 },
  { kind: 'Pulumi token', prefixes: 'pul-', body: 'lowerHex', min: 40, max: 40 },
  {
    kind: 'PlanetScale token',
    prefixes: 'pscale_tkn_ pscale_pw_ pscale_oauth_',
    body: 'dotted',
    min: 32,
  },
  { kind: 'Supabase key', prefixes: 'sbp_ sb_secret_', body: 'names', min: 30 },
  { kind: 'Netlify token', prefixes: 'nfp_', body: 'letters', min: 36 },
  { kind: 'Fly token', prefixes: 'fo1_ fm2_', body: 'credentials', min: 40 },
  { kind: 'Grafana token', prefixes: 'glsa_ glc_', body: 'credentials', min: 32, doubtful: true },
  { kind: 'New Relic key', prefixes: 'NRAK-', body: 'letters', min: 27 },
  { kind: 'Alibaba key', prefixes: 'LTAI', body: 'letters', min: 16, max: 24, doubtful: true },
  { kind: 'Tencent key', prefixes: 'AKID', body: 'letters', min: 32, max: 32 },
  { kind: 'Tailscale key', prefixes: 'tskey-', body: 'names', min: 24 },
  { kind: '1Password token', prefixes: 'ops_eyJ', body: 'base64', min: 60 },
  { kind: 'age key', prefixes: 'AGE-SECRET-KEY-1', body: 'capitals', min: 58 },
  // Services.
  {
    kind: 'Slack token',
    prefixes: 'xoxa- xoxb- xoxe- xoxe.xoxp- xoxe.xoxb- xoxo- xoxp- xoxr- xoxs-',
    body: 'names',
    min: 20,
  },
  { kind: 'Slack token', prefixes: 'xoxc- xoxd- xapp-1-', body: 'names', min: 20 },
  {
    kind: 'Stripe key',
    prefixes: 'sk_live_ rk_live_ sk_test_ rk_test_ sk_org_',
    body: 'letters',
    min: 16,
  },
  { kind: 'Stripe webhook secret', prefixes: 'whsec_', body: 'base64', min: 24 },
  { kind: 'ElevenLabs key', prefixes: 'sk_', body: 'lowerHex', min: 48, max: 48 },
  { kind: 'Twilio key', prefixes: 'SK AC', body: 'lowerHex', min: 32, max: 32 },
  {
    kind: 'SendGrid key',
    prefixes: 'SG.',
    body: 'dotted',
    min: 60,
    shape: /^[\w-]{16,32}\.[\w-]{32,64}$/,
  },
  { kind: 'Mailgun key', prefixes: 'key-', body: 'lowerHex', min: 32, max: 32 },
  { kind: 'Brevo key', prefixes: 'xkeysib- xsmtpsib-', body: 'names', min: 64 },
  { kind: 'Resend key', prefixes: 're_', body: 'words', min: 24, doubtful: true },
  { kind: 'Shopify token', prefixes: 'shpat_ shpca_ shppa_ shpss_ shpua_', body: 'hex', min: 32 },
  { kind: 'Square token', prefixes: 'sq0csp- sq0atp- sq0idp-', body: 'names', min: 22 },
  { kind: 'Square token', prefixes: 'EAAA', body: 'names', min: 60, max: 60 },
  { kind: 'Razorpay key', prefixes: 'rzp_live_ rzp_test_', body: 'letters', min: 14 },
  { kind: 'Shippo token', prefixes: 'shippo_live_ shippo_test_', body: 'lowerHex', min: 40 },
  { kind: 'EasyPost key', prefixes: 'EZAK EZTK', body: 'letters', min: 54, max: 54 },
  { kind: 'Facebook token', prefixes: 'EAACEdEose0cBA EAAG EAAB', body: 'letters', min: 80 },
  { kind: 'Notion token', prefixes: 'ntn_', body: 'letters', min: 40 },
  { kind: 'Notion token', prefixes: 'secret_', body: 'letters', min: 43, max: 43 },
  {
    kind: 'Airtable token',
    prefixes: 'pat',
    body: 'dotted',
    min: 79,
    max: 79,
    shape: /^\w{14}\.[0-9a-f]{64}$/,
  },
  { kind: 'Contentful token', prefixes: 'CFPAT-', body: 'names', min: 43 },
  { kind: 'Dropbox token', prefixes: 'sl.u. sl.B', body: 'names', min: 60 },
  { kind: 'Typeform token', prefixes: 'tfp_', body: 'dotted', min: 40 },
  { kind: 'Adafruit key', prefixes: 'aio_', body: 'letters', min: 28, max: 28 },
]
