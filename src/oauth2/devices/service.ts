import { accountOf, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import { clientNetwork } from "../../kernel/client-network.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import { sha256Hex } from "../../kernel/ids.ts";
import { RateLimiter } from "../../kernel/rate-limiter.ts";
import type { ApplicationService } from "../applications/service.ts";
import type { GrantService } from "../grants/service.ts";
import { OAuthError } from "../oauth-error.ts";
import { normalUserCode, randomCode, randomUserCode } from "../random-codes.ts";
import type { Application } from "../types.ts";
import {
  answerDevice,
  type Device,
  deleteDevice,
  findDevice,
  findWaitingDevice,
  insertDevice,
  markPolled,
} from "./store.ts";

const DEVICE_MS = 15 * 60_000;
const INTERVAL_MS = 5_000;
/** Allows for differing clocks and network latency. */
const TOLERANCE_MS = 500;
const MINUTES_10 = 10 * 60_000;

export interface NewDevice {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** What the consent page for a typed code shows. */
export interface WaitingDevice {
  readonly userCode: string;
  readonly scope: string;
  readonly application: Application;
}

/** Authorizes programs without a browser: they show a code, which the user enters here (RFC 8628). */
export class DeviceService {
  /** Few of 25 billion codes are pending at a time; twenty attempts in ten minutes find none. */
  private readonly typing: RateLimiter;
  private readonly beginning: RateLimiter;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly applications: ApplicationService,
    private readonly grants: GrantService,
  ) {
    this.typing = new RateLimiter({ limit: 20, windowMs: MINUTES_10 });
    this.beginning = new RateLimiter({ limit: 30, windowMs: MINUTES_10 });
  }

  /** @param address the client's network address. @throws OAuthError too many from there */
  begin(application: Application, scope: string, address: string): NewDevice {
    if (this.beginning.tryTake(clientNetwork(address)) > 0)
      throw new OAuthError("slow_down", "too many devices were announced from this address");
    const deviceCode = randomCode("gtd_");
    for (;;) {
      const userCode = randomUserCode();
      const isNew = insertDevice(this.db, {
        hash: sha256Hex(deviceCode),
        userCode,
        applicationId: application.id,
        scope,
        intervalMs: INTERVAL_MS,
        expiresAt: this.clock() + DEVICE_MS,
      });
      if (isNew)
        return { deviceCode, userCode, expiresInSeconds: DEVICE_MS / 1000, intervalSeconds: INTERVAL_MS / 1000 };
    }
  }

  /** @throws NotFound no device has that code; TooManyRequests */
  find(principal: Principal, typed: string): WaitingDevice {
    const { application, device } = this.waiting(principal, typed);
    return { userCode: device.userCode, scope: device.scope, application };
  }

  /** @throws NotFound no device has that code any more; Conflict it was granted another scope; TooManyRequests */
  answer(principal: Principal, typed: string, isGranted: boolean): void {
    const { application, device } = this.waiting(principal, typed);
    try {
      this.db.transaction(() => {
        const grant = isGranted ? this.grants.give(principal, application, device.scope) : undefined;
        answerDevice(this.db, device.hash, grant?.id);
      });
    } catch (error) {
      if (error instanceof OAuthError) throw new Conflict("oauth.granted-otherwise");
      throw error;
    }
  }

  /**
   * The device polls for the decision. A grant is reported only once.
   * @returns the id of the grant
   * @throws OAuthError not yet, too often, or never
   */
  poll(application: Application, deviceCode: string): number {
    const now = this.clock();
    const device = deviceCode.length > 100 ? undefined : findDevice(this.db, sha256Hex(deviceCode));
    if (!device || device.applicationId !== application.id)
      throw new OAuthError("invalid_grant", "the device code is unknown");
    if (device.expiresAt <= now) throw new OAuthError("expired_token", "the device code expired");
    if (device.state === "denied") throw new OAuthError("access_denied", "the request is denied");
    if (device.state === "granted" && device.grantId !== undefined) {
      if (!deleteDevice(this.db, device.hash)) throw new OAuthError("invalid_grant", "the device code is unknown");
      return device.grantId;
    }
    const isTooEarly = device.polledAt !== undefined && now - device.polledAt < device.intervalMs - TOLERANCE_MS;
    markPolled(this.db, device.hash, now, device.intervalMs + (isTooEarly ? INTERVAL_MS : 0));
    if (isTooEarly) throw new OAuthError("slow_down", "ask less often");
    throw new OAuthError("authorization_pending", "no one has answered yet");
  }

  private waiting(principal: Principal, typed: string): { device: Device; application: Application } {
    // Right codes count too: otherwise an attacker could buy more attempts with codes of their own.
    this.typing.take(String(accountOf(principal).id));
    const device = findWaitingDevice(this.db, normalUserCode(typed), this.clock());
    const application = device && this.applications.byId(device.applicationId);
    if (!device || !application) throw new NotFound("oauth.user-code-unknown");
    return { device, application };
  }
}
