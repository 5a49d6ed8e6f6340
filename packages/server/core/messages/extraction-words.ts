/**
 * Words near one-time codes and links to confirm, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish,
 * Swedish, Turkish, Russian, Arabic, Japanese and Chinese. Each is a part of a regular expression, matched without regard to case in text
 * whose dotted capital I is plain.
 */
const any = (...words: readonly string[]): string => words.join('|');
const expression = (...words: readonly string[]): RegExp => new RegExp(any(...words), 'giu');
/** A word that begins here, in scripts that part words. */
const begins = (...words: readonly string[]): string => `(?<!\\p{L})(?:${any(...words)})`;
const whole = (...words: readonly string[]): string => `(?<!\\p{L})(?:${any(...words)})(?!\\p{L})`;

/** What names a one-time code. */
export const CODE = expression(
  '(?:codes?|passcodes?|pincodes?)(?!\\p{L})',
  whole('pins?|otps?|tans?|mtan|one-time passwords?|one time passwords?|security key|token'),
  begins('einmalpasswort|einmalkennwort|sicherheitsschlüssel|mot de passe à usage unique'),
  begins('mot de passe temporaire|código|codigo|clave|contraseña temporal|contraseña de un solo uso'),
  begins('codice|password monouso|password temporanea|senha|palavra-passe|eenmalig wachtwoord|kod'),
  begins('hasło jednorazowe|şifre|sifre|parola|код|пароль|пин-код'),
  any('コード|認証番号|確認番号|ワンタイムパスワード|暗証番号|パスコード'),
  any('验证码|校验码|確認碼|確認码|驗證碼|动态码|动态密码|口令|安全码|安全碼|登录码|确认码'),
  any('安全代码|激活码|动态口令|驗證代碼|验证代码|一次性密码|一次性密碼'),
  // Ends of compounds.
  any('kod(?:en|er)?(?!\\p{L})|kode[nr]?(?!\\p{L})|engångslösenord'),
  any('رمز|(?<!\\p{L})(?:ال)?كود(?:ك|ه)?(?!\\p{L})|كلمة المرور لمرة واحدة|كلمة مرور لمرة واحدة|كلمة المرور المؤقتة'),
);

/** What says that the number behind it is typed, in a mail that names a code elsewhere. */
export const ENTER = expression(
  begins('enter|type|use|tippen|geben sie|gib|entrez|saisissez|tapez|introduce|introduzca|ingresa|ingrese'),
  begins('inserisci|digita|digite|insira|introduza|vul|voer|wpisz|podaj|введите|girin'),
  begins('ange|skriv in|mata in|fyll i|använd|أدخل|ادخل|استخدم|اكتب|انسخ'),
);

/** What names another number or code. */
export const OTHER = expression(
  begins('zip|post-?codes?|postal|promo|discount|coupon|voucher|gift|referral|qr[ -]|error'),
  begins('country code|tax code|area code|sort code|source code|bar-?code|dress code|product code|status code'),
  begins(
    'orders?(?!\\p{L})|invoice|ticket|case (?:no|number|id|#|\\d)|references?|ref(?!\\p{L})|tracking',
    'customer (?:no|number|id)|account (?:no|number|id)',
  ),
  begins('phone|tel(?!\\p{L})|call(?!\\p{L})|fax|flight|booking|reservation|receipt|amount|total'),
  begins('serial|model|room|version|copyright|suite|parcel|shipment|meeting id|member(?:ship)? (?:no|number|id)'),
  begins('http|exit code|code review|commit|build|vat|iban|swift|ending in|balance'),
  begins('postleitzahl|plz|rabatt|gutschein|aktionscode|bestell|rechnung|auftrags|kundenn|sendung'),
  begins(
    'telefon|vorgang|aktenzeichen|betrag|konto(?:nummer|-?nr|stand)|hotline|hausnummer|buchung|fehlercode',
    'vertrag',
  ),
  begins('code postal|code promo|code de réduction|code de suivi|bon de réduction|code avantage'),
  begins(
    'commande|facture|réservation|suivi|colis|téléphone|tél(?!\\p{L})|montant|numéro client|numéro de client',
    'dossier',
  ),
  begins('código postal|código promocional|código de descuento|código de barras|pedido|factura|reserva'),
  begins('seguimiento|teléfono|importe|referencia|cupón|expediente|código de seguimiento|número de cliente'),
  begins('codice fiscale|codice postale|codice sconto|codice promo|cap(?!\\p{L})|ordine|fattura|prenotazione'),
  begins('spedizione|telefono|importo|tracciamento|codice cliente|codice di tracking|pratica|codice prodotto'),
  begins('cep(?!\\p{L})|código de rastreio|código de rastreamento|código de desconto|encomenda|fatura|rastreio'),
  begins('telefone|cupom|protocolo|nota fiscal|valor(?!\\p{L})'),
  begins('kortingscode|postcode|bestelling|bestelnummer|factuur|klantnummer|track|telefoon|bedrag|actiecode'),
  begins('kod pocztowy|kod rabatowy|zamówieni|faktur|przesyłk|rezerwacj|kwota|numer klienta|numer telefonu'),
  begins('posta kodu|indirim kodu|kupon|promosyon|sipariş|siparis|fatura|kargo|takip|tutar|müşteri'),
  begins('почтовый|индекс|промокод|код скидки|заказ|счёт|счет|отправлени|телефон|сумма|трек|бронир'),
  any('郵便番号|クーポン|割引|注文|請求|追跡|電話|会員番号|お客様番号|予約|伝票|エラーコード|問い合わせ番号'),
  any('邮编|邮政编码|郵遞區號|优惠|優惠|折扣|订单|訂單|发票|發票|运单|快递单|电话|電話|金额|客服|热线'),
  any('取件码|兑换码|邀请码|错误代码'),
  begins('rabattkod|kampanjkod|streckkod|värdekod|felkod|postnummer|order(?:nummer|nr)|beställning|faktura'),
  begins('kollinummer|kundnummer|belopp|spårning|bokning|organisationsnummer|kontonummer'),
  any(
    'الرمز البريدي|رمز الخصم|كوبون|قسيمة|رقم الطلب|رقم التتبع|رقم الفاتورة|رقم العميل|رقم الحجز|هاتف|اتصل|المبلغ|الإجمالي',
  ),
);

/** What a link does that is waited for. */
export const CONFIRMS = expression(
  begins(
    'confirm|verif|activat|validat|reset|sign[ -]?in|log[ -]?in|magic link',
    'set (?:up )?(?:a|your) (?:new )?password',
  ),
  begins('create (?:a|your) (?:new )?password|change (?:your )?password|choose a (?:new )?password|recover|unlock'),
  begins(
    'accept (?:the |your )?invit|join |complete (?:your )?(?:registration|sign)',
    'finish (?:your )?(?:registration|sign)',
  ),
  begins('bestätig|aktivier|zurücksetz|anmelden|einloggen|neues passwort|passwort (?:ändern|festlegen|vergeben)'),
  begins('freischalt|registrierung abschließen|einladung annehmen|jetzt anmelden|verifizier'),
  begins('confirme|vérifi|activer|activez|réinitialis|se connecter|connectez-vous|me connecter|valider|validez'),
  begins('nouveau mot de passe|accepter l|créer (?:un|mon|votre) (?:nouveau )?mot de passe'),
  begins(
    'confirma|verificar|verifica|activar|activa(?!\\p{L})|restablec|iniciar sesión|inicia sesión|acceder',
    'nueva contraseña',
  ),
  begins('conferma|attiva|reimposta|reimpostare|accedi|ripristina|nuova password|convalida'),
  begins('ativar|ative|redefin|entrar|iniciar sessão|fazer login|nova senha|validar|aceitar convite'),
  begins(
    'bevestig|activeer|inloggen|log in|wachtwoord (?:opnieuw|wijzigen|herstellen|resetten)|nieuw wachtwoord',
    'aanmelden',
  ),
  begins('potwierd|aktywuj|zweryfikuj|zresetuj|zaloguj|ustaw nowe hasło|nowe hasło|resetuj|zmień hasło'),
  begins('onayla|doğrula|dogrula|etkinleştir|sıfırla|giriş yap|oturum aç|yeni şifre|aktif'),
  begins('подтверд|активир|сброс|войти|вход|новый пароль|восстанов|завершить регистрацию'),
  any('確認する|認証|有効化|リセット|再設定|ログイン|サインイン|登録を完了|メールアドレスを確認|本登録'),
  any('确认|確認|验证|驗證|激活|重置|重設|重设|登录|登入|啟用|启用|设置新密码|找回密码'),
  begins('bekräfta|verifiera|aktivera|återställ|logga in|nytt lösenord|byt lösenord|slutför|tacka ja'),
  any('تأكيد|تفعيل|تحقق|إعادة تعيين|تسجيل الدخول|استعادة|قبول الدعوة|كلمة مرور جديدة'),
);

/** What a link of a footer, a picture or an advertisement does, or one for who did not ask for the mail. */
export const ASIDE = expression(
  begins('unsubscrib|opt[ -]?out|preferences|privacy|terms|imprint|help(?!\\p{L})|support|contact us|faq'),
  begins(
    'view (?:it |this )?(?:\\p{L}{1,8} )?in (?:your |a )?browser|follow us|download the app|get the app',
    'learn more|blog|shop',
  ),
  begins(
    'not you|wasn.?t you|didn.?t (?:request|sign|create|make)|did not (?:request|sign|create|make)|report',
    'secure your account|cancel',
  ),
  begins(
    'abmelden von|newsletter ab|abbestell|austragen|datenschutz|impressum|agb(?!\\p{L})|hilfe|im browser',
    'nicht angefordert|nicht sie|waren sie das nicht|nicht du',
  ),
  begins(
    'désabonn|désinscri|confidentialité|mentions légales|aide|assistance|dans (?:le|votre) navigateur',
    'ce n.était pas vous|pas vous|préférences',
  ),
  begins(
    'darse de baja|date de baja|dar de baja|cancelar|privacidad|ayuda|en (?:el|tu|su) navegador',
    'no (?:fuiste|has sido) tú|no reconoces|preferencias',
  ),
  begins('annulla|disiscri|cancella|assistenza|aiuto|nel browser|non sei stato|preferenze|informativa'),
  begins('descadastr|cancelar inscri|privacidade|ajuda|no navegador|não foi você|preferências'),
  begins('afmelden|uitschrijven|voorwaarden|hulp|in (?:je|uw) browser|niet door jou|voorkeuren'),
  begins('wypisz|zrezygnuj|prywatności|regulamin|pomoc|w przeglądarce|to nie ty|rezygnacja'),
  begins('abonelikten|abonelikten çık|gizlilik|yardım|tarayıcıda|siz değilseniz|listeden çık'),
  begins('отписат|отписк|конфиденциальн|помощь|поддержк|в браузере|это были не вы|не вы'),
  any('配信停止|登録解除|解除|プライバシー|ヘルプ|お問い合わせ|ブラウザで|心当たりのない|利用規約'),
  any('退订|取消订阅|取消訂閱|隐私|隱私|帮助|幫助|浏览器中|不是您|联系我们|条款'),
  begins('avsluta prenumeration|avregistrera|avprenumerera|integritet|hjälp|i webbläsaren|inte du|villkor'),
  any('إلغاء الاشتراك|الخصوصية|المساعدة|في المتصفح|لم تكن أنت|الشروط|تواصل معنا'),
);
