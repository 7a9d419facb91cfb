/** What `/activity/{period}` may ask for, and how many days that is. */
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
