import { ListBar, type ListChoice, type ListFilter } from "../components/list-bar.tsx";
import { useWords } from "../language.ts";
import { type RepoFilters, type RepoQuery, repoListHref } from "./repo-query.ts";
import { exploreWords } from "./words/index.ts";

export interface RepoLanguage {
  readonly language: string;
  /** Repositories with this main language. */
  readonly count: number;
}

/** More are not offered, but the URL may name any. */
const MAX_LANGUAGES = 20;

/** The header of a repository list, with its filters. @param props.page the URL without filters */
export function RepoFilterBar(props: { page: string; asked: RepoQuery; languages: readonly RepoLanguage[] }) {
  const t = useWords(exploreWords);
  const { filters } = props.asked;
  const choice = <Name extends keyof RepoFilters>(name: Name, value: RepoFilters[Name], label: string): ListChoice => ({
    label,
    href: repoListHref(props.page, { ...props.asked, filters: { ...filters, [name]: value } }),
    current: filters[name] === value,
  });
  const menu = (
    label: string,
    name: "archived" | "template" | "private",
    only: string,
    others: string,
  ): ListFilter => ({
    label,
    choices: [choice(name, undefined, t("any")), choice(name, true, only), choice(name, false, others)],
  });
  const isAsked = ({ language }: RepoLanguage) => language.toLowerCase() === filters.language.toLowerCase();
  const offered = props.languages.filter((each, at) => at < MAX_LANGUAGES || isAsked(each));
  const unknown = filters.language === "" || offered.some(isAsked) ? [] : [{ language: filters.language, count: 0 }];
  const languages = [...offered, ...unknown].map((each) => ({
    ...choice("language", each.language, each.language),
    count: each.count,
    current: isAsked(each),
  }));
  return (
    <ListBar
      label={t("kinds")}
      states={[
        choice("fork", undefined, t("all")),
        choice("fork", false, t("sources")),
        choice("fork", true, t("forks")),
      ]}
      filters={[
        ...(languages.length > 0
          ? [{ label: t("language"), choices: [choice("language", "", t("any")), ...languages] }]
          : []),
        menu(t("archived"), "archived", t("onlyArchived"), t("notArchived")),
        menu(t("templates"), "template", t("onlyTemplates"), t("noTemplates")),
        menu(t("visibility"), "private", t("onlyPrivate"), t("onlyPublic")),
      ]}
    />
  );
}
