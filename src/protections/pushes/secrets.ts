import type { ContentPattern } from "../../git/inspect/facts.ts";

/** Secrets recognizable by their format, each with a text that every one of them contains. */
export const secretPatterns: readonly ContentPattern[] = [
  {
    name: "private key",
    source: "-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\\s+[A-Za-z0-9+/=:]",
    needles: ["PRIVATE KEY"],
  },
  { name: "AWS access key", source: "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b", needles: ["AKIA", "ASIA"] },
  {
    name: "GitHub token",
    source: "\\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})",
    needles: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
  },
  { name: "GitLab token", source: "\\bglpat-[A-Za-z0-9_-]{20,}", needles: ["glpat-"] },
  { name: "Slack token", source: "\\bxox[abeprs]-[A-Za-z0-9-]{10,}", needles: ["xox"] },
  { name: "Google API key", source: "\\bAIza[A-Za-z0-9_-]{35}", needles: ["AIza"] },
  { name: "Stripe key", source: "\\b(?:sk|rk)_live_[A-Za-z0-9]{20,}", needles: ["_live_"] },
  { name: "npm token", source: "\\bnpm_[A-Za-z0-9]{36}\\b", needles: ["npm_"] },
  { name: "PyPI token", source: "\\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}", needles: ["pypi-AgEIcHlwaS5vcmc"] },
];
