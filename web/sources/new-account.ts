import type { User } from "../../src/access/user.ts";
import type { Call } from "../../src/http/route.ts";
import { Failure, ValidationFailed } from "../../src/kernel/errors.ts";
import type { NewAccount } from "../../src/sources/accounts.ts";
import type { OAuth2Source, OutsideIdentity } from "../../src/sources/types.ts";
import type { WebServices } from "../area.ts";
import { continueSignIn } from "../identity/open-session.ts";
import { wordsFor } from "../language.ts";
import { sourceWords } from "./words/index.ts";

/** The options of a user authenticated by a provider who has no account here. */
export function mayJoin({ accountCreation, config, identity }: WebServices) {
  const hasAnyUser = identity.hasAnyUser();
  const asks = config["sign_in.newcomers"] !== "closed";
  const register = hasAnyUser && (asks || accountCreation.isRegistrationOpen());
  const link = hasAnyUser && config["sign_in.linking"];
  return { register, link, anyhow: register || link };
}

/** No account was created. */
export interface Refused {
  readonly refusal: Failure;
  /** Another name or email address may work. */
  readonly isConflict: boolean;
}

/** Creates the account and signs it in. */
export async function createAccount(
  services: WebServices,
  call: Call,
  source: OAuth2Source,
  identity: OutsideIdentity,
  account: NewAccount,
  target?: string,
): Promise<Response | Refused> {
  // The first account is created with the setup link.
  if (!services.identity.hasAnyUser()) return { refusal: new ValidationFailed("source.no-account"), isConflict: false };
  let user: User;
  try {
    user = await services.outsideAccounts.create(call.principal, source, identity, account);
  } catch (error) {
    if (!(error instanceof Failure) || ![409, 422].includes(error.status)) throw error;
    // A second tab, or a form sent twice.
    const meanwhile = services.outsideAccounts.find(source, identity);
    if (!meanwhile) return { refusal: error, isConflict: true };
    user = meanwhile;
  }
  return continueSignIn(services, call, user, {
    remember: false,
    target,
    sourceId: source.id,
    flash: { kind: "success", text: wordsFor(call, sourceWords)("accountCreated", { name: user.login }) },
  });
}
