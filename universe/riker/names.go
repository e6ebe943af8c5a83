package riker

import (
	"strings"

	"enterprisedocbench/universe/keyed"
)

// cultures are the given and family names of people, by the part of the world where they go
// together. All are common names or put together; any likeness to a person is chance.
var cultures = []struct{ given, family []string }{
	{strings.Fields("Alice Bernard Charlotte Duncan Eleanor Francis Georgina Howard Imogen Jasper Lydia Malcolm Nora Percy Rosalind Silas Tabitha Vernon Winifred Alistair"),
		strings.Fields("Ashworth Barlow Cartwright Dunstan Ellsworth Farnham Gladwin Haverford Ingram Kerridge Loxley Marchbank Netherton Oakden Penrose Quilter Rowntree Stanfield Thackeray Wolstan")},
	{strings.Fields("Aurélie Benoît Céline Damien Élodie Fabrice Gaëlle Hervé Inès Jérôme Léa Mathieu Océane Pascal Raphaëlle Sylvain Thérèse Valentin Solène Étienne"),
		strings.Fields("Beauchamp Chauvin Desrosiers Écuyer Fournel Guérin Hébrard Jolivet Lacroix Marchand Noiret Pélissier Quesnel Renaudin Sauvage Thibault Vasseur Cazenave Dumarchais Lemoyne")},
	{strings.Fields("Anneliese Bastian Cornelia Dietmar Elfriede Falko Gerlinde Hartmut Jürgen Käthe Lothar Mechthild Norbert Rüdiger Sieglinde Torsten Uschi Volker Wiebke Günther"),
		strings.Fields("Achterberg Brückner Dörflinger Eisenhauer Frühauf Großkopf Hölderle Jüngling Köpernik Löwenthal Mühlbauer Nägele Oberländer Pfründer Rößner Schönfelder Tännler Überreiter Vögele Wünschmann")},
	{strings.Fields("Alejandra Benigno Consuelo Diego Estefanía Fermín Graciela Hernán Inmaculada Joaquín Lorenza Martín Nicolás Óscar Pilar Ramón Soledad Tomás Ximena Íñigo"),
		strings.Fields("Albornoz Barrenechea Cifuentes Domínguez Echeverría Fernández Guzmán Henríquez Ibáñez Jáuregui Llorente Montalbán Núñez Ordóñez Peñalver Quiroga Rebolledo Santillán Urrutia Zárate")},
	{strings.Fields("Agnieszka Bogusław Dorota Elżbieta Franciszek Grażyna Henryk Izabela Jarosław Krystyna Łukasz Małgorzata Oskar Przemysław Róża Stanisław Urszula Włodzimierz Zbigniew Żaneta"),
		strings.Fields("Borkowski Ciesielski Dąbrowski Gawroński Jabłoński Kołodziej Lewandowicz Łopuszański Maciejewski Niedźwiecki Ostaszewski Pawłowicz Rogoziński Sokołowicz Świątek Tomaszewski Wiśniowski Zieliński Żurawski Górniak")},
	{strings.Fields("Ayşe Burak Ceyda Deniz Ebru Ferhat Gülay Hakan İlknur Kerem Leyla Murat Nilüfer Orhan Pınar Serdar Şebnem Tuğba Umut Yağmur"),
		strings.Fields("Aydınlı Bozkurtoğlu Çelikkaya Demirtaş Erdoğdu Fıratlı Güneşer Hacıoğlu Işıkçı Karataş Kılıçarslan Özgürel Palabıyık Soylu Şahinkaya Taşdemir Uğurlu Yıldırımer Zorlutuna Öztürkmen")},
	{strings.Fields("Adaeze Babatunde Chidinma Dayo Efua Folasade Gbenga Ifeoma Jideofor Kwame Lerato Makena Nkechi Obinna Sizwe Temitope Uchenna Wanjiru Yetunde Zola"),
		strings.Fields("Abimbola Boateng Chukwuma Dlamini Ezekwesili Famuyiwa Gatimu Ikande Kamau Lumumba Mokoena Ndlovukazi Okonjo Oyelaran Quarshie Sithebe Tshabalala Uzochukwu Wambugu Zondi")},
	{strings.Fields("Aarav Bhavana Chetan Deepika Eshan Gayatri Harish Indrani Jayesh Kavita Lakshmi Manoj Nandini Omkar Prerna Rajesh Sunita Tanvi Vikram Yamini"),
		strings.Fields("Agnihotri Bhattacharjee Chaturvedi Deshmukh Gaikwad Hegdekar Iyengar Jayaraman Kulkarni Lakhanpal Mukherjee Narasimhan Parthasarathy Raghunathan Subramanyam Thakurdas Upadhyay Venkataraman Wadhwani Yadukul")},
	{strings.Fields("Anh Bảo Chính Diệp Đức Giang Hạnh Hưng Khánh Linh Minh Ngọc Oanh Phương Quỳnh Sơn Thảo Tuấn Uyên Yến"),
		strings.Fields("Bùi Châu Đặng Đinh Dương Hoàng Huỳnh Lương Mạc Nguyễn Phạm Phan Quách Tạ Thái Trịnh Trương Văn Võ Vũ")},
	{strings.Fields("Akihiro Chiyoko Daisuke Emiko Fumio Haruka Isamu Junko Kenji Mayumi Naoki Osamu Reiko Shigeru Takumi Umeko Wataru Yukari Kazuo Sachiko"),
		strings.Fields("Arimura Fukushige Hasegawa Ishibashi Kawaguchi Kobayakawa Matsunaga Minamoto Nishizawa Okazaki Sakamoto Shirakawa Takahara Tsukimoto Uchiyama Wakabayashi Yanagita Yoshinaga Hirabayashi Morikawa")},
	{strings.Fields("Astrid Bjarne Dagný Eiríkur Freyja Gunnar Hrafnhildur Ingvar Jóhanna Kjartan Ljósbjörg Magnús Oddný Ragnheiður Sigurður Þóra Unnur Vilhjálmur Ýmir Ægir"),
		strings.Fields("Aðalsteins Bergþórs Dalgaard Einarsen Fjellstad Grønlund Hjaltalín Ísberg Jørgensvik Kårstad Lindegård Mørkved Nygård Østergård Rønneberg Sæther Thorsrud Ullevål Vestergård Ødegård")},
	{strings.Fields("Amina Bashir Dalila Farouk Ghada Hakim Idris Jamila Khalid Latifa Mansour Nadira Omar Rashida Salim Tahira Usama Wafa Yasin Zainab"),
		strings.Fields("Abdelrahim Bensaïd Chaouki Darwish Elmasry Fakhoury Ghannam Haddadin Ibrahimi Jaziri Khalifeh Lahlou Mansouri Najjar Othmani Qasimi Rahmouni Sabbagh Tawfik Zaghloul")},
}

var (
	syllableHeads = strings.Fields("Ald Bran Cor Dray Eld Fal Gren Hol Ind Jar Kel Lor Mer Nel Orm Pell Quin Ros Sil Tarn Ulm Vand Wex Yar Zel Bly Crest Dun Esk Fir")
	syllableTails = strings.Fields("wick bury ford stead holm mere gate dale croft field haven moor shaw thorpe well more combe ridge leigh burn worth hurst wood vale minster grove brook hampton castle")
	sectorWords   = strings.Fields("Foods Logistics Textiles Instruments Packaging Optics Ceramics Robotics Botanicals Furniture Beverages Publishing Polymers Electronics Bakery Tooling Analytics Glassworks Cosmetics Marine Printing Cycles Aerospace Nutrition Software Timber Diagnostics Lighting Acoustics Hydraulics")
	estateWords   = strings.Fields("Estates Properties Holdings Realty Land Capital Trust Developments Freeholds Lettings")
	firmForms     = []string{"Ltd", "Inc.", "LLC", "PLC", "GmbH", "SA", "AB", "BV"}
	buildingWords = strings.Fields("House Court Plaza Centre Tower Works Yard Exchange Point Gate Arcade Hall Wharf Mill")
	streetWords   = strings.Fields("Street Avenue Road Lane Way Parade Quay Terrace Row Square")
	regionWords   = strings.Fields("North East South West Central Coastal Lakeside Highland Riverside Upland Harbour Valley")
)

// reserved is the part of every name space that no entity gets: one in ten. Probes draw from it.
const reserved = 10

// space is a set of n names, drawn in a keyed order: the first nine tenths for entities, the rest
// for probes.
type space struct {
	n     int
	order keyed.Permutation
}

func newSpace(seed uint64, purpose string, n int) space {
	return space{n, keyed.NewPermutation(n, keyed.Key(seed, purpose, 0))}
}

// used is the name number of entity id and its tier: how many times the space was used up before.
func (s space) used(id int) (name, tier int) {
	u := s.n - s.n/reserved
	return s.order.At(id % u), id / u
}

// unused is the i-th name number that no entity has.
func (s space) unused(i int) (name, tier int) {
	u := s.n - s.n/reserved
	return s.order.At(u + i%(s.n-u)), i / (s.n - u)
}

const (
	givenEach  = 20
	familyEach = 20
)

func peopleNames() int { return len(cultures) * givenEach * familyEach }

// personAt is name i of the space of people; later tiers carry initials.
func personAt(i, tier int) string {
	c := cultures[i/(givenEach*familyEach)]
	i %= givenEach * familyEach
	middle := ""
	for ; tier > 0; tier = (tier - 1) / 26 {
		middle += string(rune('A'+(tier-1)%26)) + ". "
	}
	return c.given[i%givenEach] + " " + middle + c.family[i/givenEach]
}

func stems() int { return len(syllableHeads) * len(syllableTails) }

func stem(i int) string {
	return syllableHeads[i/len(syllableTails)] + syllableTails[i%len(syllableTails)]
}

// stemOf is stem i in a tier: later tiers put syllables before it, in the same word, so that no name
// stands inside of another.
func stemOf(i, tier int) string {
	s := stem(i)
	for ; tier > 0; tier = (tier - 1) / len(syllableHeads) {
		s = syllableHeads[(tier-1)%len(syllableHeads)] + strings.ToLower(s)
	}
	return s
}

// companyAt is name i of the space of companies of a branch, without its legal form.
func companyAt(branch []string, i, tier int) string {
	return stemOf(i/len(branch), tier) + " " + branch[i%len(branch)]
}

// placeAt is name i of a space of places.
func placeAt(i, tier int) string { return stemOf(i, tier) }
