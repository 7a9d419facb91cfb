import { administersBackground } from "../../src/admin/access.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { checkEmail } from "../../src/identity/values.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { MailRefused } from "../../src/mail/smtp.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { languageOfCall, wordsFor } from "../language.ts";
import { anyone, redirectAfterPost, shellOf, show } from "../visit.ts";
import { ConfigPage, OverviewPage } from "./overview.tsx";
import { SelfCheckPage } from "./self-check.tsx";
import { adminWords } from "./words/index.ts";

/** The state of the site, and its configuration. */
export function overviewPages(services: WebServices): Route[] {
  const { overview } = services;
  const page = { method: "GET", surface: "page", access: administersBackground } as const;
  return [
    {
      ...page,
      path: "/-/admin",
      handle: (call) => {
        const [shown, ssh] = [overview.show(call.principal), services.ssh.show(call.principal)];
        return show(call, <OverviewPage shell={shellOf(services, call)} overview={shown} ssh={ssh} />);
      },
    },
    // The URLs in other forges of the same family.
    ...["/admin", "/admin/*"].map(
      (path): Route => ({
        ...page,
        access: anyone,
        path,
        handle: (call) => redirect(`/-${call.target}`),
      }),
    ),
    {
      ...page,
      path: "/-/admin/self_check",
      handle: (call) => {
        const findings = services.selfCheck.run(call.principal, call.request.headers.get("host") ?? "");
        return show(call, <SelfCheckPage shell={shellOf(services, call)} findings={findings} />);
      },
    },
    { ...page, method: "POST", path: "/-/admin/config/test_mail", handle: (call) => sendTestMail(services, call) },
    { ...page, method: "POST", path: "/-/admin/config/test_cache", handle: (call) => testCache(services, call) },
    {
      ...page,
      path: "/-/admin/config",
      handle: (call) =>
        show(
          call,
          <ConfigPage
            shell={shellOf(services, call)}
            settings={overview.settings(call.principal)}
            onlyChanged={call.query.get("show") === "changed"}
          />,
        ),
    },
  ];
}

function testCache(services: WebServices, call: Call): Response {
  const t = wordsFor(call, adminWords);
  const { holds, tookMs, usedBytes } = services.monitor.testCache(call.principal);
  const language = languageOfCall(call);
  const params = { used: language.size(usedBytes), time: tookMs.toFixed(2) };
  const result = holds
    ? { kind: "success" as const, text: t("cacheHolds", params) }
    : { kind: "error" as const, text: t("cacheFails") };
  return redirectAfterPost(services, call, "/-/admin/config", result);
}

/** Sends an email immediately, so that the administrator sees the mail server's reply. */
async function sendTestMail(services: WebServices, call: Call): Promise<Response> {
  const t = wordsFor(call, adminWords);
  const to = (await readForm(call)).text("email").slice(0, 254);
  const { config, mail } = services;
  const answer = (kind: "success" | "error", text: string) =>
    redirectAfterPost(services, call, "/-/admin/config", { kind, text });
  try {
    checkEmail(to);
    const { testMail } = await import("../identity/mails.ts");
    return answer("success", t("testMailSent", { to, answer: await mail.sendNow(to, testMail(config.name)) }));
  } catch (error) {
    if (error instanceof MailRefused) return answer("error", t("testMailRefused", { reason: error.message }));
    if (error instanceof Failure) return answer("error", refusalOf(call, error));
    throw error;
  }
}
