/** Made up; no summary and no ledger may contain it. */
export const printedKey = 'q7VdX2mPz04tLkRsA9wYhB3nUe6cJf81'
