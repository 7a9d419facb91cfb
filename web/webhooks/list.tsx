import { type HookLevel, hookTypes, type Webhook } from "../../src/webhooks/types.ts";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState, Menu, MenuLink } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { PlaceProps } from "../settings-place.tsx";
import { HookFrame, newHref } from "./place.tsx";
import { typeNames } from "./type-names.ts";
import { webhooksWords } from "./words/index.ts";

const abouts = {
  repository: "aboutRepo",
  organization: "aboutOrganization",
  account: "aboutAccount",
  site: "aboutSite",
} as const;

/** `GET …/hooks`. */
export function HooksPage({ place, hooks, pages }: { place: PlaceProps; hooks: readonly Webhook[]; pages: PageOf }) {
  const t = useWords(webhooksWords);
  return (
    <HookFrame place={place}>
      <div class="row row-between">
        <p class="muted">{t(abouts[place.of.kind])}</p>
        <div class="row">
          {place.of.kind === "site" ? (
            <>
              <AddMenu place={place} level="system" label={t("addSystem")} />
              <AddMenu place={place} level="default" label={t("addDefault")} />
            </>
          ) : (
            <AddMenu place={place} level={place.of.kind === "repository" ? "repository" : "account"} label={t("add")} />
          )}
        </div>
      </div>
      <Card flush>
        {hooks.length === 0 ? (
          <EmptyState icon="webhook" title={t("none")} />
        ) : (
          <ul class="list">
            {hooks.map((hook) => (
              <HookRow hook={hook} href={`${place.base}/${hook.id}`} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </HookFrame>
  );
}

function AddMenu({ place, level, label }: { place: PlaceProps; level: HookLevel; label: string }) {
  return (
    <Menu name={label} class="menu-end" label={<span class="btn">{label}</span>}>
      <ul>
        {hookTypes.map((type) => (
          <li>
            <MenuLink href={newHref(place, level, type)}>{typeNames[type]}</MenuLink>
          </li>
        ))}
      </ul>
    </Menu>
  );
}

function HookRow({ hook, href }: { hook: Webhook; href: string }) {
  const t = useWords(webhooksWords);
  const isOfSite = hook.level === "system" || hook.level === "default";
  return (
    <li class="danger-row">
      <div>
        <p>
          <a class="strong" href={href}>
            {hook.name || shortUrl(hook.url)}
          </a>{" "}
          <Badge>{typeNames[hook.type]}</Badge>{" "}
          {isOfSite ? <Badge tone="accent">{t(hook.level === "system" ? "system" : "default")}</Badge> : null}{" "}
          {hook.isActive ? null : <Badge tone="warn">{t("off")}</Badge>}
        </p>
        {hook.name ? <p class="muted">{shortUrl(hook.url)}</p> : null}
      </div>
      <Outcome hook={hook} />
    </li>
  );
}

function Outcome({ hook: { lastSucceeded } }: { hook: Webhook }) {
  const t = useWords(webhooksWords);
  if (lastSucceeded === undefined) return <Badge>{t("neverSent")}</Badge>;
  return (
    <Badge tone={lastSucceeded ? "ok" : "danger"} icon={lastSucceeded ? "check" : "x"}>
      {t(lastSucceeded ? "lastWell" : "lastFailed")}
    </Badge>
  );
}

/** The URL without possible secrets: chat services have theirs in the path or query. */
function shortUrl(url: string): string {
  const { host, pathname } = new URL(url);
  const path = pathname.length > 40 ? `${pathname.slice(0, 40)}…` : pathname;
  return host + path;
}
