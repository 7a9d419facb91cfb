import { type Clock, steadyClock } from "./clock.ts";

const DAY_MS = 86_400_000;

/** Less is a correction that nothing minds. */
const TOLERANCE_MS = 60_000;

/** Notices that the system's clock was set, by one that is not. A machine that slept looks as one set forward. */
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

  /** @param listener hears by how much, before anything is done by the new time; less than nothing: back */
  onSet(listener: (byMs: number) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Whether the clock may be years ahead: it was set forward by more than a day, and that is no day ago. What is removed by
   * its age can wait for so long, and does not come back.
   */
  get isInDoubt(): boolean {
    return this.steady() < this.doubtedUntil;
  }

  /** It is further on than anyone knows a reason for. */
  doubt(): void {
    this.doubtedUntil = this.steady() + DAY_MS;
  }

  /** To be called before anything is done because of the time. */
  look(): void {
    const offset = this.clock() - this.steady();
    // Whole ones, as what is stored is moved by them.
    const byMs = Math.round(offset - this.offset);
    if (Math.abs(byMs) < TOLERANCE_MS) return;
    this.offset = offset;
    if (byMs > DAY_MS) this.doubt();
    else this.doubtedUntil = Number.NEGATIVE_INFINITY;
    for (const listener of this.listeners) listener(byMs);
  }
}
