package corpus

// What is here decides the bytes of every corpus: a change of it is a new
// version (see fileVersion).

var (
	methods  = []string{"GET", "GET", "GET", "GET", "POST", "POST", "PUT", "DELETE"}
	statuses = []string{"200", "200", "200", "200", "201", "204", "301", "304", "400", "404", "500", "503"}
	alarms   = []string{"warn", "error", "error", "fatal"}
	areas    = []string{"", "api/v1/", "api/v2/", "static/js/", "admin/reports/"}
	services = []string{"auth", "billing", "checkout", "gateway", "inventory", "payments", "search", "shipping"}
	nouns    = []string{
		"accounts", "carts", "customers", "events", "invoices", "labels", "messages",
		"orders", "parcels", "price_lists", "products", "refunds", "sessions", "subscriptions",
	}
	verbs   = []string{"accept", "apply", "dispatch", "fetch", "handle", "invoke", "load", "parse", "resolve", "run", "validate"}
	classes = []string{
		"AbstractRequestDispatcher", "CartService", "ConnectionPool", "Handler", "InvoiceRepository",
		"OrderController", "PaymentClient", "RetryPolicy", "SessionStore", "Worker",
	}
	causes = []string{
		"connection reset by peer",
		"context deadline exceeded",
		"dial tcp 10.20.30.40:5432: connect: connection refused",
		"duplicate key value violates unique constraint",
		"lock wait timeout exceeded; try restarting transaction",
		"no space left on device",
		"remote end hung up unexpectedly while 1048576 of 4194304 bytes were still to be read",
		"unexpected EOF",
	}
	users    = []string{"-", "-", "-", "-", "-", "-", "alice", "bob", "deploy"}
	referers = []string{
		"-", "-", "https://example.com/", "https://www.example.org/search?q=tail+of+a+large+file",
		"https://shop.example.net/catalogue/summer/shoes?colour=blue&size=42&page=3",
	}
	agents = []string{
		"curl/8.5.0",
		"kube-probe/1.31",
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	}
	names = []string{
		"Ada Lovelace", "Björk", "Chloé Dubois", "Jürgen Groß", "Łukasz Żak", "Nguyễn Văn An",
		"Ольга Иванова", "李雷", "山田太郎", "김민수", "محمد علي", "प्रिया शर्मा",
	}
)

// phrases hold no LF and no CR. Joiners, marks and separators that cannot be
// seen are written as escapes.
var phrases = []string{
	// Chinese, also beyond the basic plane; Japanese; Korean
	"连接已重置", "请求处理完成,耗时三百毫秒", "無法開啟檔案", "𠮷野家", "𠜎𠜱𡿨",
	"接続がタイムアウトしました", "ファイルが見つかりません", "ｶﾀｶﾅ",
	"요청을 처리하는 중입니다", "연결이 끊어졌습니다", "\u1112\u1161\u11ab\u1100\u1173\u11af",
	// Cyrillic, Greek, Georgian, Armenian
	"соединение разорвано", "запрос выполнен за", "Помилка читання файлу", "το αίτημα ολοκληρώθηκε", "კავშირი", "Հարցում",
	// right to left: Arabic, Persian (with a non-joiner), Hebrew
	"تم قطع الاتصال", "اكتمل الطلب بنجاح", "نمی\u200cشود", "הבקשה הושלמה", "\u202bשגיאה\u202c",
	// Devanagari, Bengali, Tamil, Telugu, Thai, Khmer, Burmese, Tibetan, Ethiopic
	"कनेक्शन टूट गया", "अनुरोध पूरा हुआ", "क्ष\u200dत्र", "অনুরোধ সম্পন্ন", "கோப்பு கிடைக்கவில்லை",
	"అభ్యర్థన", "ไม่พบไฟล์ที่ต้องการ", "សំណើ", "တောင်းဆိုမှု", "བོད་ཡིག", "ጥያቄ",
	// Latin, composed and decomposed, with many marks
	"Größenänderung", "naïve café", "e\u0301te\u0301", "tiếng Việt", "Z\u0351\u036b\u0343a\u0321\u0329l\u0334g\u0337o\u0322",
	// emoji: plain, skin tone, joined, keycap, flags
	"🚀", "✅ ok", "🔥🔥🔥", "👍🏽", "🧑🏾\u200d🚀", "👩\u200d💻", "👨\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈",
	"❤\ufe0f\u200d🔥", "3\ufe0f\u20e3", "🇫🇷🇯🇵", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	// symbols of four bytes and of three
	"𝒳 ∈ 𝔽₂", "𐍈𐌰𐌽", "∑ ≤ ∞", "│ ├── └──", "€ 1\u202f234,50",
	// line ends elsewhere, none here: line and paragraph separator, next line, form feed, vertical tab
	"a\u2028b", "a\u2029b", "a\u0085b", "a\fb\vc", "\ufeffBOM", "\ufffd",
}

// broken are bytes that are no UTF-8 before ASCII or before one another.
var broken = []string{
	"\xff", "\xfe\xff", // never in UTF-8
	"\x80", "\xbf\xbf", // continuation bytes alone
	"\xc3", "\xe2\x82", "\xf0\x9f\x98", // characters cut short
	"\xc0\xaf", "\xe0\x80\xaf", // longer than need be
	"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", // surrogate, beyond Unicode
	"\xe9t\xe9", // Latin-1
}
