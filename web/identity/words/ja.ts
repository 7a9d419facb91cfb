import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const ja: Words<typeof en> = {
  signIn: "サインイン",
  nameOrEmail: "ユーザー名またはメールアドレス",
  password: "パスワード",
  staySignedIn: "このデバイスでサインインしたままにする",
  newHere: "はじめての方は<link>アカウントを作成</link>",
  wrongCredentials: "ユーザー名またはパスワードが正しくありません。",
  prohibited: "このアカウントのサインインは禁止されています。サイトの管理者にお問い合わせください。",
  inactive: "このアカウントは有効化されていません。サイトの管理者にお問い合わせください。",
  tooManyAttempts: { other: "試行回数が多すぎます。{count} 秒後にもう一度お試しください。" },

  signOut: "サインアウト",
  signOutQuestion: "サインアウトしますか？",
  signedInAs: "{name} としてサインインしています。",
  stayHere: "サインインを続ける",

  register: "登録",
  createAnAccount: "アカウントの作成",
  createAccount: "アカウントを作成",
  registrationClosed: "このサイトでは登録を受け付けていません。アカウントが必要な場合は管理者にご依頼ください。",
  haveAccount: "すでにアカウントをお持ちの方は<link>サインイン</link>",
  accountCreated: "アカウントを作成しました。",

  userName: "ユーザー名",
  userNameHint: "英字、数字、ハイフン、ピリオド、アンダースコアが使えます。URL の一部になります。",
  email: "メールアドレス",
  passwordAgain: "パスワード（確認）",
  passwordHint: { other: "{count} 文字以上。記号だらけの短いものより、覚えやすく長いパスワードのほうが安全です。" },

  setUp: "初期設定",
  setUpTitle: "炉に火を灯す",
  setUpLead: "これは新しいサーバーです。最初のアカウントを作成してください。これが管理者になります。",
  setUpToken: "初期設定トークン",
  setUpTokenHint: "サーバーが起動時にコンソールへ出力したものです。このサーバーがあなたのものであることを証明します。",
  setUpTokenWrong:
    "このサーバーの初期設定トークンではありません。コンソールまたはログに表示されたリンク全体を使用してください。",
  createAdministrator: "管理者を作成",
  welcome: "ようこそ。{name} はこのサイトの管理者です。",

  changePassword: "パスワードを変更",
  newPasswordTitle: "新しいパスワードの設定",
  newPasswordLead: "現在のパスワードはほかの人も知っています。続ける前に、自分のパスワードを設定してください。",
  setPassword: "パスワードを設定",
  samePassword: "現在のパスワードとは異なるものにしてください。",
  passwordChanged: "パスワードを変更しました。",

  forgottenPassword: "パスワードをお忘れですか？",
  forgottenTitle: "パスワードを忘れた場合",
  forgottenLead: "新しいパスワードを設定するためのリンクをメールでお送りします。",
  sendMail: "メールを送信",
  sendAgain: "メールを再送信",
  lookIntoMail: "メールをご確認ください",
  mailSent:
    "このアドレスを使うアカウントがこのサイトにあれば、リンクを記載したメールをお送りしました。迷惑メールもご確認ください。3 分後に再送信できます。",
  noMailForPassword: "このサイトはメールを送信しません。管理者が新しいパスワードを設定できます。",
  noMailToActivate: "このサイトはメールを送信しません。管理者がアカウントを有効化できます。",
  tooManyRequests: { other: "リクエストが多すぎます。{count} 秒後にもう一度お試しください。" },
  deadLinkTitle: "このリンクは無効です",
  deadLink: "リンクはすでに使用されたか、期限切れか、不完全です。新しいリンクを取得してください。",
  newLink: "新しいリンクを取得",
  yourAddresses: "メールアドレスの一覧",
  recoverTitle: "新しいパスワードの設定",
  recoverLead: "対象のアカウント: {name}。このアカウントのセッションはすべて終了します。",
  recovered: "新しいパスワードを設定し、ほかのセッションをすべて終了しました。",
  activateTitle: "アカウントの有効化",
  activateLead: "{name} に設定したパスワードを入力してください。",
  activateAgainLead: "お送りしたメールのリンクを開くと、アカウントが有効になります。メールは再送信できます。",
  activate: "有効化",
  activated: "ようこそ、{name} さん。アカウントが有効になりました。",
  activationSent:
    "{email} にリンクを記載したメールを送信しました。リンクを開いて {name} を有効化してください。リンクは 3 時間有効です。",
  waitsForAdministrator: "アカウント {name} を作成しました。サイトの管理者が有効化すると使用できます。",
  passwordWrong: "パスワードが正しくありません。",
  confirmTitle: "メールアドレスの確認",
  confirmQuestion:
    "{email} を {name} の確認済みアドレスにします。このアドレスのコミットは自分のものとして表示されます。",
  confirm: "確認",
  notNow: "後で",
  addressConfirmed: "アドレス {email} を確認しました。",

  mailActivateSubject: "{site} のアカウントの有効化",
  mailActivate: "このアドレスで {site} にアカウント {name} が登録されました。",
  mailActivateAction: "アカウントを有効化",
  mailActivateNote:
    "リンクは {minutes} 分間、1 回だけ有効です。心当たりがない場合は、このメールを無視してください。リンクを開かなければ、アカウントは使用されません。",
  mailConfirmSubject: "{site} のメールアドレスの確認",
  mailConfirm:
    "{site} のアカウント {name} にこのアドレスが追加されました。ご自分のアカウントであれば、確認してください。",
  mailConfirmAction: "アドレスを確認",
  mailConfirmNote:
    "リンクは {minutes} 分間、{name} としてサインインしている場合に 1 回だけ有効です。心当たりがない場合は、このメールを無視してください。",
  mailResetSubject: "{site} の新しいパスワードの設定",
  mailReset: "{site} のアカウント {name} について、新しいパスワードの申請がありました。",
  mailResetAction: "新しいパスワードを設定",
  mailResetNote:
    "リンクは {minutes} 分間、1 回だけ有効です。心当たりがない場合は、このメールを無視してください。パスワードは変わりません。",
  mailSecuritySubject: "{site} のアカウント {name} のセキュリティ",
  mailPasswordChanged: "{site} のアカウント {name} のパスワードが変更されました。",
  mailPasswordRecovered: "{site} のアカウント {name} の新しいパスワードが、メールのリンクから設定されました。",
  mailPasscodesEnabled:
    "{site} のアカウント {name} でワンタイムコードが有効になりました。今後はサインインのときに入力が必要です。",
  mailPasscodesDisabled: "{site} のアカウント {name} でワンタイムコードが無効になりました。",
  mailPasskeyAdded: "{site} のアカウント {name} にパスキー「{what}」が追加されました。",
  mailPasskeyRemoved: "{site} のアカウント {name} からパスキー「{what}」が削除されました。",
  mailTwoFactorRemoved: "{site} のアカウント {name} の二要素認証が解除されました。",
  mailKeyAdded: "{site} のアカウント {name} に鍵「{what}」が追加されました。",
  mailEmailAdded: "{site} のアカウント {name} にメールアドレス {what} が追加されました。",
  mailEmailPrimary:
    "{site} のアカウント {name} の主メールアドレスが {what} になりました。今後のメールはこのアドレスに送られます。",
  mailNewSignIn:
    "{site} のアカウント {name} に、これまで使われたことのないネットワークアドレスからサインインがありました。",
  mailSecurityFrom: "日時: {date}（UTC）、接続元: {address}",
  mailSecurityByServer: "日時: {date}（UTC）、サーバー上での操作",
  mailSecurityAction: "セキュリティログ",
  mailSecurityNote:
    "心当たりがない場合は、すぐに新しいパスワードを設定し、すべての端末からサインアウトして、サイトの管理者に連絡してください。",
  mailTestSubject: "{site} からのメールは正常に届いています",
  mailTest: "これはテストメールです。{site} の運用者が端末から送信し、無事に届きました。",
  "account.missing": "{name} というアカウントはありません。",
  "account.still-owns-repositories": "このアカウントはまだリポジトリを所有しています。",
  "account.password-short": "パスワードは {min} 文字以上にしてください。",
  "account.password-too-short": "パスワードは {min} 文字以上にしてください。",
  "account.password-wrong": "パスワードが正しくありません。",
  "account.no-password-for-kind": "パスワードを設定できるのは個人のアカウントだけです。",

  passcodeOrRecovery: "ワンタイムコードまたは回復コード",
  isRecoveryCode: "これは回復コードです",
  rememberStolen:
    "サインインを保つ Cookie の複製が使われました。その端末はサインアウトされました。もう一度サインインし、セキュリティログを確認してください。",
};
