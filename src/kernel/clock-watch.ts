import { type Clock, steadyClock } from "./clock.ts";

const DAY_MS = 86_400_000;

/** Smaller jumps are corrections that affect nothing. */
const TOLERANCE_MS = 60_000;

/**
 * Detects that the system clock was set, by comparing it with a steady clock. A machine that slept looks as if set
 * forward.
 */
export class ClockWatch {
  private readonly listeners: ((byMs: number) => void)[] = [];
  private offset: number;
  private doubtedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly steady: Clock = steadyClock,
  ) {
    this.offset = clock() - steady();
  }

  /** @param listener called with the jump in milliseconds (negative: back) before anything acts on the new time */
  onSet(listener: (byMs: number) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Whether the clock may be years ahead: it was set forward by more than a day, less than a day ago. Deletion by age
   * can wait that long; deleted data does not come back.
   */
  get isInDoubt(): boolean {
    return this.steady() < this.doubtedUntil;
  }

  /** Marks the clock as doubtful: it is further ahead than can be explained. */
  doubt(): void {
    this.doubtedUntil = this.steady() + DAY_MS;
  }

  /** Must be called before anything is done because of the time. */
  look(): void {
    const offset = this.clock() - this.steady();
    // Whole milliseconds, because stored times are shifted by them.
    const byMs = Math.round(offset - this.offset);
    if (Math.abs(byMs) < TOLERANCE_MS) return;
    this.offset = offset;
    if (byMs > DAY_MS) this.doubt();
    else this.doubtedUntil = Number.NEGATIVE_INFINITY;
    for (const listener of this.listeners) listener(byMs);
  }
}
