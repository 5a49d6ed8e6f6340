import type { Wordings } from './wordings.ts';

/** As `WEST`, in the other languages. */
export const EAST: Readonly<Record<string, Wordings>> = {
  pl: {
    codes: [
      [
        'Twój kod weryfikacyjny',
        'Cześć Zofia,\n\noto Twój kod weryfikacyjny:\n\n{code}\n\nKod wygaśnie za 10 minut. Nie udostępniaj go nikomu.',
      ],
      ['Logowanie do konta', 'Aby dokończyć logowanie, wpisz kod {code}. Jeśli to nie Ty, zadzwoń: 22 123 45 67.'],
      ['{code} to Twój kod bezpieczeństwa', 'Użyj kodu {code}, aby potwierdzić swój adres e-mail.'],
      [
        'Potwierdź płatność',
        'Płatność 184,90 zł w KSIĘGARNIA PORTOWA, karta kończąca się na 4471. Hasło jednorazowe: {code}',
      ],
      [
        'Dokończ rejestrację',
        'Już prawie gotowe! Przepisz ten kod w aplikacji:\n\n{code}\n\nPozdrawiamy, zespół Północ',
      ],
    ],
    links: [
      ['Potwierdź swój adres e-mail', 'Dziękujemy za rejestrację w serwisie Północ.', 'Potwierdź adres e-mail'],
      ['Resetowanie hasła', 'Otrzymaliśmy prośbę o zmianę hasła. Link jest ważny przez godzinę.', 'Ustaw nowe hasło'],
      ['Twój link do logowania', 'Kliknij przycisk, aby zalogować się bez hasła.', 'Zaloguj się'],
      ['Aktywuj konto', 'Twoje konto zostało utworzone.', 'Aktywuj konto'],
    ],
    none: [
      [
        'Zamówienie 20268812 w drodze',
        'Numer zamówienia: 20268812\nNumer przesyłki: 620012345678901234567890\nKwota: 149,90 zł',
      ],
      ['Faktura FV/1182/2026', 'Kwota do zapłaty: 58,00 zł\nNumer klienta 771204\nTermin: 31.12.2026'],
    ],
    footer: 'Północ sp. z o.o., ul. Długa 12, 00-238 Warszawa, NIP 525-123-45-67\nTel. 22 123 45 67',
    unsubscribe: 'Wypisz się',
    forwarded: ['Od', 'Wysłano', 'Do', 'Temat'],
  },
  tr: {
    codes: [
      [
        'Doğrulama kodunuz',
        'Merhaba Elif,\n\nDoğrulama kodunuz:\n\n{code}\n\nKod 10 dakika geçerlidir. Kimseyle paylaşmayın.',
      ],
      [
        'Hesabınıza giriş',
        'Giriş yapmak için {code} kodunu girin. Bu işlemi siz yapmadıysanız 0850 123 45 67 numarasını arayın.',
      ],
      ['{code} güvenlik kodunuzdur', 'E-posta adresinizi onaylamak için güvenlik kodu: {code}'],
      [
        'Ödemenizi onaylayın',
        'Sonu 4471 ile biten kartınızla KİTABEVİ’nde 184,90 TL tutarında işlem. Tek kullanımlık şifreniz: {code}',
      ],
      ['Kaydınızı tamamlayın', 'Neredeyse bitti! Bu kodu uygulamaya yazın:\n\n{code}\n\nSevgiler, Kuzey ekibi'],
    ],
    links: [
      ['E-posta adresinizi doğrulayın', 'Kuzey’e kaydolduğunuz için teşekkürler.', 'E-postamı doğrula'],
      [
        'Şifre sıfırlama',
        'Şifrenizi sıfırlamak için bir istek aldık. Bağlantı bir saat geçerlidir.',
        'Şifremi sıfırla',
      ],
      ['Giriş bağlantınız', 'Şifresiz giriş yapmak için düğmeye tıklayın.', 'Giriş yap'],
      ['Hesabınızı etkinleştirin', 'Hesabınız oluşturuldu.', 'Hesabı etkinleştir'],
    ],
    none: [
      ['Siparişiniz yola çıktı', 'Sipariş numarası: 20268812\nKargo takip no: 7330012345678\nTutar: 249,90 TL'],
      ['Kasım faturanız', 'Fatura no: ABC2026000001182\nMüşteri no: 771204\nTutar: 158,00 TL'],
    ],
    footer: 'Kuzey A.Ş., İstiklal Cad. No: 12, 34433 Beyoğlu/İstanbul\nMüşteri hizmetleri: 0850 123 45 67',
    unsubscribe: 'Listeden çık',
    forwarded: ['Kimden', 'Gönderildi', 'Kime', 'Konu'],
  },
  ja: {
    codes: [
      [
        '【北風】認証コードのお知らせ',
        '佐藤様\n\nいつもご利用ありがとうございます。認証コードは以下のとおりです。\n\n{code}\n\n有効期限は10分です。第三者に教えないでください。',
      ],
      [
        'ログイン用の確認コード',
        'ログイン画面に確認コード「{code}」を入力してください。お心当たりのない場合は03-1234-5678までご連絡ください。',
      ],
      ['{code} が確認コードです', 'メールアドレスを確認するには、{code} を入力してください。'],
      [
        'お支払いの本人認証',
        '2026年11月28日 9時14分、港書店にて8,490円のご利用（カード下4桁 4471）。ワンタイムパスワード：{code}',
      ],
      [
        '会員登録を完了してください',
        'アプリの画面に次のコードを入力すると登録が完了します。\n\n{code}\n\n北風株式会社',
      ],
    ],
    links: [
      ['メールアドレスの確認', '北風にご登録いただきありがとうございます。', 'メールアドレスを確認する'],
      [
        'パスワードの再設定',
        'パスワード再設定のご依頼を受け付けました。リンクの有効期限は1時間です。',
        'パスワードを再設定する',
      ],
      ['ログインリンク', '下のボタンを押すとパスワードなしでログインできます。', 'ログインする'],
      ['本登録のお願い', '仮登録が完了しました。', '本登録を完了する'],
    ],
    none: [
      ['ご注文を発送しました', 'ご注文番号：250-7712345-8812044\nお問い合わせ伝票番号：4471-2031-8812\n合計：3,980円'],
      ['11月分のご請求', '請求番号 20261182\nお客様番号 77120443\nご請求額 5,800円'],
    ],
    footer: '北風株式会社 〒100-0005 東京都千代田区丸の内1-2-3\n電話 03-1234-5678（平日10:00〜18:00）',
    unsubscribe: '配信停止はこちら',
    forwarded: ['差出人', '送信日時', '宛先', '件名'],
  },
  zh: {
    codes: [
      [
        '【北风】邮箱验证码',
        '尊敬的用户：\n\n您正在登录北风账号，验证码为：\n\n{code}\n\n10分钟内有效，请勿泄露给他人。',
      ],
      ['登录验证', '您的登录验证码是 {code}，如非本人操作请拨打客服热线 400-123-4567。'],
      ['{code} 是您的安全代码', '请使用安全代码 {code} 确认您的电子邮件地址。'],
      ['支付验证', '您尾号4471的银行卡在港口书店消费184.90元，动态密码：{code}，请勿告知他人。'],
      ['完成註冊', '請在頁面輸入以下驗證碼以完成註冊：\n\n{code}\n\n北風團隊敬上'],
    ],
    links: [
      ['请验证您的邮箱', '感谢您注册北风。', '验证邮箱'],
      ['重置密码', '我们收到了重置您密码的请求。链接一小时内有效。', '重置密码'],
      ['您的登录链接', '点击下面的按钮即可免密码登录。', '立即登录'],
      ['啟用您的帳戶', '您的帳戶已建立。', '啟用帳戶'],
    ],
    none: [
      ['您的订单已发货', '订单号：20268812044\n运单号：SF1234567890123\n金额：249.90元'],
      ['11月电子发票', '发票号码：04471203\n金额：58.00元\n客户编号 771204'],
    ],
    footer: '北风科技有限公司 北京市海淀区中关村大街12号 邮编 100080\n客服电话 400-123-4567',
    unsubscribe: '退订',
    forwarded: ['发件人', '发送时间', '收件人', '主题'],
  },
  ru: {
    codes: [
      [
        'Ваш код подтверждения',
        'Здравствуйте, Анна!\n\nВаш код подтверждения:\n\n{code}\n\nКод действует 10 минут. Никому его не сообщайте.',
      ],
      ['Вход в аккаунт', 'Чтобы войти, введите код {code}. Если это были не вы, позвоните: 8 800 123-45-67.'],
      ['{code} — ваш код безопасности', 'Используйте {code}, чтобы подтвердить адрес электронной почты.'],
      ['Подтвердите оплату', 'Оплата 1 849,00 ₽ в магазине «Портовая книга», карта *4471. Одноразовый пароль: {code}'],
      ['Завершите регистрацию', 'Почти готово! Скопируйте этот код в приложение:\n\n{code}\n\nКоманда «Север»'],
    ],
    links: [
      ['Подтвердите адрес электронной почты', 'Спасибо за регистрацию в сервисе «Север».', 'Подтвердить адрес'],
      [
        'Восстановление пароля',
        'Мы получили запрос на смену пароля. Ссылка действует один час.',
        'Задать новый пароль',
      ],
      ['Ссылка для входа', 'Нажмите на кнопку, чтобы войти без пароля.', 'Войти в аккаунт'],
      ['Активируйте аккаунт', 'Ваш аккаунт создан.', 'Активировать аккаунт'],
    ],
    none: [
      ['Ваш заказ отправлен', 'Номер заказа: 20268812\nТрек-номер: 80081234567890\nСумма: 2 490 ₽'],
      ['Счёт за ноябрь', 'Счёт № 1182\nК оплате: 580,00 руб.\nЛицевой счёт 77120443'],
    ],
    footer: 'ООО «Север», 125009, Москва, ул. Тверская, д. 12. ИНН 7712345678\nТелефон 8 800 123-45-67',
    unsubscribe: 'Отписаться',
    forwarded: ['От', 'Отправлено', 'Кому', 'Тема'],
  },
  ar: {
    codes: [
      [
        'رمز التحقق الخاص بك',
        'مرحبًا ليلى،\n\nرمز التحقق الخاص بك هو:\n\n{code}\n\nتنتهي صلاحيته خلال 10 دقائق. لا تشاركه مع أحد.',
      ],
      ['تسجيل الدخول إلى حسابك', 'لإكمال تسجيل الدخول أدخل الرمز {code}. إذا لم تكن أنت فاتصل على 920012345.'],
      ['{code} هو رمز الأمان الخاص بك', 'استخدم {code} لتأكيد عنوان بريدك الإلكتروني.'],
      [
        'تأكيد عملية الدفع',
        'عملية شراء بمبلغ 184.90 ر.س من مكتبة الميناء بالبطاقة المنتهية بـ 4471. كلمة المرور لمرة واحدة: {code}',
      ],
      ['أكمل التسجيل', 'اقتربت من الانتهاء! انسخ هذا الكود في التطبيق:\n\n{code}\n\nفريق ريح الشمال'],
    ],
    links: [
      ['تأكيد بريدك الإلكتروني', 'شكرًا لتسجيلك في ريح الشمال.', 'تأكيد البريد الإلكتروني'],
      [
        'إعادة تعيين كلمة المرور',
        'تلقينا طلبًا لإعادة تعيين كلمة المرور. الرابط صالح لمدة ساعة.',
        'إعادة تعيين كلمة المرور',
      ],
      ['رابط تسجيل الدخول', 'اضغط على الزر لتسجيل الدخول بدون كلمة مرور.', 'تسجيل الدخول'],
      ['تفعيل حسابك', 'تم إنشاء حسابك.', 'تفعيل الحساب'],
    ],
    none: [
      ['تم شحن طلبك', 'رقم الطلب: 20268812\nرقم التتبع: 1234567890123\nالإجمالي: 249.90 ر.س'],
      ['فاتورة نوفمبر', 'رقم الفاتورة 1182\nرقم العميل 771204\nالمبلغ 158.00 ر.س'],
    ],
    footer: 'شركة ريح الشمال، شارع العليا 12، الرياض 12211\nهاتف 920012345',
    unsubscribe: 'إلغاء الاشتراك',
    forwarded: ['من', 'تم الإرسال', 'إلى', 'الموضوع'],
  },
};
