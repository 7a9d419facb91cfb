import { randomBytes } from "../../src/kernel/ids.ts";
import type { SafeHtml } from "../../src/markup/safe-html.ts";
import { HEARTH_VERSION } from "../../src/version.ts";
import type { ViewerFileName } from "./files.ts";

/**
 * Separate documents for content that a library's script has to render. They are shown in frames without an origin:
 * they can access neither the page around them nor the site, and load nothing but the library (contract web.md 4.9,
 * 4.12).
 */
export interface Frame {
  readonly scripts?: readonly ViewerFileName[];
  readonly styles?: readonly ViewerFileName[];
  /** Script that runs the library; `data` is the content's text. */
  readonly run?: string;
  /** Static content, when no script renders it. */
  readonly html?: SafeHtml;
  readonly data?: string;
  /** The library includes WebAssembly. */
  readonly runsWasm?: boolean;
}

/** The content may not reach anything outside; it can only post messages to its page. */
const SANDBOX = "sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads";

/** The URL of a library file; it changes with the executable, so that browsers may cache it. */
export const viewerHref = (name: ViewerFileName): string => `/-/viewer/${encodeURIComponent(HEARTH_VERSION)}/${name}`;

/** @param root the site's URL without a trailing slash: a document without an origin has no `'self'` */
export function frameResponse(root: string, frame: Frame): Response {
  const nonce = randomBytes(16).toString("base64url");
  const styles = (frame.styles ?? []).map((name) => `<link rel="stylesheet" href="${root}${viewerHref(name)}">`);
  const scripts = (frame.scripts ?? []).map(
    (name) => `<script nonce="${nonce}" src="${root}${viewerHref(name)}"></script>`,
  );
  // Between these tags, only the end tag of the script could be anything but text.
  const data = frame.data === undefined ? "null" : JSON.stringify(frame.data).replaceAll("<", "\\u003c");
  const html = `<!doctype html>
<html><head><meta charset="utf-8"><title>Hearth</title><meta name="color-scheme" content="light dark">
<style>html,body{margin:0;background:transparent}svg{max-width:100%;height:auto}</style>${styles.join("")}</head>
<body><div id="shown">${frame.html ?? ""}</div>${scripts.join("")}
<script nonce="${nonce}">const data=${data};const shown=document.getElementById("shown");${frame.run ?? ""}</script></body></html>
`;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'${frame.runsWasm ? " 'wasm-unsafe-eval'" : ""}`,
    `style-src ${root}/-/viewer/ 'unsafe-inline'`,
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'self'",
    "frame-ancestors 'self'",
    SANDBOX,
  ].join("; ");
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "max-age=0, private, must-revalidate",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
}

/** Reports the height of the content to the page, initially and whenever it changes. */
const TELLS_HEIGHT = `new ResizeObserver(()=>parent.postMessage({height:Math.ceil(shown.getBoundingClientRect().height)},"*")).observe(shown);`;

/** Waits for the diagram's text, which the page posts. */
export const diagramFrame: Frame = {
  scripts: ["mermaid.js"],
  run: `addEventListener("message",async(event)=>{
if(event.source!==parent)return;
mermaid.initialize({startOnLoad:false,securityLevel:"strict",maxTextSize:50000,theme:event.data.isDark?"dark":"default"});
try{const{svg}=await mermaid.render("diagram",String(event.data.source));shown.innerHTML=svg;${TELLS_HEIGHT}}
catch(error){parent.postMessage({error:String(error.message)},"*")}});
parent.postMessage({ready:true},"*");`,
};

export function recordingFrame(data: string): Frame {
  return {
    scripts: ["asciinema-player.js"],
    styles: ["asciinema-player.css"],
    run: `AsciinemaPlayer.create({data},shown,{fit:"width",preload:true});${TELLS_HEIGHT}`,
    data,
    runsWasm: true,
  };
}

export function apiFrame(data: string, isJson: boolean): Frame {
  return {
    scripts: ["swagger-ui.js"],
    styles: ["swagger-ui.css"],
    run: `SwaggerUIBundle({spec:JSON.parse(data),domNode:shown,validatorUrl:null,supportedSubmitMethods:[]});${TELLS_HEIGHT}`,
    data: isJson ? data : JSON.stringify(Bun.YAML.parse(data)),
  };
}
