import type { User } from "../../src/access/user.ts";
import { readFields } from "../../src/http/body.ts";
import { dropSecondStepCookie, secondStepOf } from "../../src/http/cookies.ts";
import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { beforeSigningIn } from "../../src/identity/access.ts";
import { Failure, Forbidden, TooManyRequests, Unauthorised } from "../../src/kernel/errors.ts";
import type { SecondStep } from "../../src/two-factor/second-steps.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { formErrors, readForm, refusalText } from "../form-data.ts";
import { openSession } from "../identity/open-session.ts";
import { identityWords } from "../identity/words/index.ts";
import { wordsFor } from "../language.ts";
import { localPath } from "../redirect-target.ts";
import { attemptOf, isSecure, redirectAfterPost, shellOf, show } from "../visit.ts";
import { SecondStepPage, type SecondStepProps } from "./second-step.tsx";
import { twoFactorWords } from "./words/index.ts";

/** Larger than any authenticator's response. */
const ANSWER_BYTES = 64 << 10;

type Way = SecondStepProps["way"];

/** The step after the password, and signing in with only a passkey. */
export function secondStepPages(services: WebServices): Route[] {
  const page = { surface: "page", access: beforeSigningIn } as const;
  const at = (path: string, way: "passcode" | "recovery-code"): Route[] => [
    { ...page, method: "GET", path, handle: (call) => stepPage(services, call, way) },
    { ...page, method: "POST", path, handle: (call) => proveByCode(services, call, way) },
  ];
  const asJson = (path: string, get: Route["handle"], post: Route["handle"], postPath = path): Route[] => [
    { ...page, method: "GET", path, handle: (call) => refusedAsJson(call, get) },
    { ...page, method: "POST", path: postPath, handle: (call) => refusedAsJson(call, post) },
  ];
  return [
    ...at("/user/two_factor", "passcode"),
    ...at("/user/two_factor/scratch", "recovery-code"),
    { ...page, method: "GET", path: "/user/webauthn", handle: (call) => stepPage(services, call, "passkey") },
    ...asJson(
      "/user/webauthn/assertion",
      (call) => beginStep(services, call),
      (call) => proveByPasskey(services, call),
    ),
    ...asJson(
      "/user/webauthn/passkey/assertion",
      async () => json(await services.passkeys.beginSignIn(), 200, { "cache-control": "no-store" }),
      (call) => signInByPasskey(services, call),
      "/user/webauthn/passkey/login",
    ),
  ];
}

interface Waiting {
  readonly secret: string;
  readonly step: SecondStep;
  readonly user: User;
}

/** The user who has completed the first step in this browser; undefined when there is none, or it has expired. */
function waiting(services: WebServices, call: Call): Waiting | undefined {
  const secret = secondStepOf(call.request, isSecure(services));
  const step = services.secondSteps.find(secret);
  const user = step && services.identity.byId(step.userId);
  return secret && step && user ? { secret, step, user } : undefined;
}

function stepPage(
  services: WebServices,
  call: Call,
  way: Way,
  errors?: FormErrors<"passcode" | "token">,
  status = 200,
): Response {
  const found = waiting(services, call);
  if (!found) return redirectAfterPost(services, call, "/user/login");
  const factors = services.twoFactor.factorsOf(found.user.id);
  const view = (
    <SecondStepPage
      shell={shellOf(services, call)}
      login={found.user.login}
      way={way}
      factors={{ ...factors, passkeys: factors.passkeys && services.passkeys.isAvailable }}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status });
}

async function proveByCode(services: WebServices, call: Call, way: "passcode" | "recovery-code"): Promise<Response> {
  const found = waiting(services, call);
  if (!found) return redirectAfterPost(services, call, "/user/login");
  const form = await readForm(call);
  const attempt = attemptOf(call);
  try {
    if (way === "passcode")
      await services.twoFactor.provePasscode(call.principal, found.user, form.text("passcode"), attempt);
    else await services.twoFactor.proveRecoveryCode(call.principal, found.user, form.text("token"), attempt);
  } catch (error) {
    if (error instanceof TooManyRequests) {
      call.header("retry-after", String(error.retryAfterSeconds));
      const text = wordsFor(call, identityWords)("tooManyAttempts", { count: error.retryAfterSeconds });
      return stepPage(services, call, way, { form: text }, 429);
    }
    const errors = formErrors(call, error, { passcode: "passcode", token: "token" });
    services.secondSteps.wrong(found.secret);
    return stepPage(services, call, way, errors);
  }
  const target = await finish(services, call, found, way);
  if (way === "passcode") return redirectAfterPost(services, call, target);
  const left = services.twoFactor.recoveryCodesLeft({ ...call.principal, user: found.user }, found.user.id);
  const text = wordsFor(call, twoFactorWords)("recoveryUsed", { count: left });
  return redirectAfterPost(services, call, "/user/settings/security", { kind: "info", text });
}

/** Starts the session, if the account may still be used. @returns where to go */
async function finish(
  services: WebServices,
  call: Call,
  { secret, step }: Waiting,
  method: "passcode" | "recovery-code" | "passkey",
): Promise<string> {
  services.secondSteps.end(secret);
  call.header("set-cookie", dropSecondStepCookie(isSecure(services)));
  await enter(services, call, step, method);
  return step.target ?? "/";
}

async function enter(
  services: WebServices,
  call: Call,
  { userId, remember, sourceId }: Pick<SecondStep, "userId" | "remember" | "sourceId">,
  method: "passcode" | "recovery-code" | "passkey",
): Promise<void> {
  const user = services.identity.byId(userId);
  const problem = user && services.identity.accountProblem(user);
  if (!user || problem === "inactive" || problem === "prohibited") throw new Forbidden("access.account-disabled");
  await openSession(services, call, user, { remember, method, sourceId });
}

/** Scripts get errors as JSON, in the visitor's language. */
async function refusedAsJson(call: Call, handle: Route["handle"]): Promise<Response> {
  try {
    return await handle(call);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return json({ message: refusalText(call, error) }, error.status);
  }
}

function requireWaiting(services: WebServices, call: Call): Waiting {
  const found = waiting(services, call);
  if (!found) throw new Unauthorised();
  return found;
}

async function beginStep(services: WebServices, call: Call): Promise<Response> {
  const { user, secret } = requireWaiting(services, call);
  const options = await services.passkeys.beginSecondStep(user, secret);
  return json(options, 200, { "cache-control": "no-store" });
}

async function proveByPasskey(services: WebServices, call: Call): Promise<Response> {
  const found = requireWaiting(services, call);
  const { fields } = await readFields(call, ANSWER_BYTES);
  try {
    await services.passkeys.proveSecondStep(call.principal, found.user, found.secret, fields);
  } catch (error) {
    if (error instanceof Failure)
      services.audit.append(call.principal, "sign-in-failed", found.user, { method: "passkey" });
    throw error;
  }
  return json({ redirect: await finish(services, call, found, "passkey") });
}

async function signInByPasskey(services: WebServices, call: Call): Promise<Response> {
  const { fields } = await readFields(call, ANSWER_BYTES);
  const user = await services.passkeys.signIn(call.principal, fields);
  const remember = call.query.get("remember") === "on";
  await enter(services, call, { userId: user.id, remember }, "passkey");
  return json({ redirect: localPath(call.query.get("redirect_to")) ?? "/" });
}
