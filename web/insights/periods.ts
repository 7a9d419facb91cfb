/** The values of `{period}` in `/activity/{period}`, with their number of days. */
export const PERIODS = {
  daily: 1,
  halfweekly: 3,
  weekly: 7,
  monthly: 30,
  quarterly: 91,
  semiyearly: 182,
  yearly: 365,
} as const;

export type Period = keyof typeof PERIODS;

export function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text);
}
